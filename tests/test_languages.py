"""Languages: told by script and function words, one file of rules each."""

import json
import re
from importlib.resources import files

import pytest

from ragcite_nb import languages

TEXTS = {
    "en": ["The ferry leaves at 07:40 on weekdays.", "Dogs ride free of charge and you can bring them to all decks.", "Is it free?", "Your order is on its way."],
    "fr": ["Le bateau part à 7 h 40 en semaine.", "Les chiens voyagent gratuitement.", "Bonjour, voici les étapes :", "Vous pouvez retourner le produit sous 14 jours."],
    "de": ["Die Fähre fährt werktags um 7.40 Uhr.", "Hunde fahren kostenlos mit.", "Sie können die Ware zurückgeben.", "Vielen Dank für Ihre Frage!", "Die Preise in Berlin steigen stark.", "Mozart lebte im 18. Jahrhundert in Wien.", "Nichts steht in Stein."],
    "es": ["El barco sale a las 7:40 y los perros viajan gratis.", "El plazo de devolución es de 14 días para los socios."],
    "it": ["Il traghetto parte alle 7:40 e i cani viaggiano gratis.", "Il termine per il reso è di 14 giorni."],
    "pt": ["O barco sai às 7:40 e os cães viajam de graça.", "O prazo de devolução é de 14 dias para os sócios."],
    "nl": ["De boot vertrekt om 7.40 uur en honden reizen gratis.", "De termijn is 14 dagen voor alle leden van de club."],
    "ja": ["犬は無料です。", "返品は14日以内です。詳しくはFAQをご覧ください。"],
    "zh": ["狗免费乘船。", "退货期限为14天,请参阅 FAQ v3.1。"],
    "ko": ["개는 무료입니다.", "반품은 14일 이내에 가능합니다."],
    "ar": ["الكلاب مجانية.", "مدة الإرجاع 14 يومًا."],
    "hi": ["कुत्ते मुफ़्त हैं।", "वापसी की अवधि 14 दिन है।"],
    "ru": ["Собаки едут бесплатно.", "Срок возврата — 14 дней."],
}  # fmt: skip


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in TEXTS.items() for text in texts])
def test_languages_are_told_apart(code, text):
    assert languages.detect(text) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "en"),
        ("1234 [1]", "en"),
        ("The term „Fähre“ is German and means ferry.", "en"),
        ("Le mot « ferry » est anglais : the ferry leaves.", "fr"),
        ("The sign reads 请勿打开 in red letters on the door.", "en"),
        ("Die API liefert the quick brown fox als Text für den Test und nicht mehr.", "de"),
    ],
)
def test_foreign_words_do_not_decide(text, code):
    assert languages.detect(text) == code


def test_only_the_beginning_is_looked_at():
    """However long an answer is, its language costs the same."""
    assert languages.detect("The dogs and the cats. " + "Die Hunde und die Katzen. " * 10_000) != ""
    assert (
        languages.detect("The dogs and the cats ride on the ferry. " * 20 + "Die Hunde und die Katzen. " * 1000) == "en"
    )


def names():
    return [f.name[:-5] for f in files("ragcite_nb.languages").iterdir() if f.name.endswith(".json")]


def test_the_files_are_the_codes():
    assert sorted(names()) == list(languages.codes())
    assert {"en", "fr", "de", "es", "it", "pt", "nl", "ru"} <= set(names())


@pytest.mark.parametrize("code", names())
def test_a_file_of_rules_is_tidy(code):
    """Words stand without their last stop and none twice, so that a look-up finds them."""
    data = json.loads(files("ragcite_nb.languages").joinpath(f"{code}.json").read_text("utf-8"))
    assert data["abbreviations"]
    for name in ("titles", "abbreviations", "before_number", "never_end", "starters", "months"):
        words = data.get(name, [])
        assert len(words) == len(set(words)), name
        assert not [w for w in words if w.endswith(".") or w != w.strip() or not w], name


@pytest.mark.parametrize("code", ["en", "fr", "de"])
def test_patterns_of_claims_compile(code):
    claims = languages.rules(code)["claims"]
    for name in ("abstention", "partial", "contradiction", "aside", "referral"):
        assert claims[name]["patterns"]
        for pattern in claims[name]["patterns"]:
            re.compile(pattern)
            # They are only tried where a word begins.
            assert all(part.startswith(("^", r"\b")) for part in re.split(r"\|(?=\^|\\b)", pattern)), pattern


@pytest.mark.parametrize("code", ["en", "fr", "de"])
def test_parts_of_whole_sentences_are_there_and_used(code):
    whole = languages.rules(code)["claims"]["abstention"]["whole"]
    written = " ".join([*whole["patterns"], *whole["parts"].values()])
    assert set(re.findall(r"<(\w+)>", written)) == set(whole["parts"])


def test_a_language_without_a_file_has_the_english_rules():
    assert languages.rules("xx") == languages.rules("en")


@pytest.mark.parametrize("code", ["../en", "e", "english", "en.json", ""])
def test_no_other_file_can_be_read_by_its_code(code):
    assert languages.rules(code) == languages.rules("en")
