"""What goes into the model and what comes out for the reader: context blocks, prompts and written answers."""

from ragcite_nb.write.answer_format import format_answer
from ragcite_nb.write.context import format_context
from ragcite_nb.write.prompt import citation_prompt

__all__ = ["citation_prompt", "format_answer", "format_context"]
