"""What a report is made of; :class:`ragcite_nb.report.Report` puts it together.

One direction, one file per stop: ``aggregate`` turns the columns of a checked frame into a ``tally`` per group (sums
that add up) and a table of questions (``pairing``); ``comparison`` compares groups with the tests of ``permutation``
and the ``intervals``; ``text``, ``plots``, ``html`` and ``figure`` show the result, with ``numerals`` for the numbers.
"""
