"""A chat made up for measurements: Russian and English, small talk, facts, dates and secrets."""

import json
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from stdnum import luhn

PER_DIALOG = 400
SECRET_EVERY = 50

_WORDS = {
    "ru": {
        "name": "Анна Борис Вера Глеб Дарья Егор Жанна Захар Инна Кирилл Лада Марат Нина Олег",
        "city": "Казани Твери Самаре Омске Перми Туле Уфе Кирове Томске Пскове Сочи Орле",
        "thing": "отчёт макет релиз договор бюджет тикет список сценарий прототип график",
        "place": "кафе парке офисе музее магазине поезде спортзале кино библиотеке порту",
        "time": "завтра вчера сегодня послезавтра утром вечером ночью скоро снова потом",
        "food": "борщ пасту рис суп пиццу салат рыбу кашу плов блины",
        "mood": "отлично странно весело тяжело спокойно быстро долго легко смешно грустно",
        "tool": "PyCharm Figma Notion Postgres Docker Excel Slack Jira Git Linux",
    },
    "en": {
        "name": "Alice Brian Clara David Emma Frank Grace Henry Irene Jack Karen Liam Mona Nick",
        "city": "Boston Denver Oslo Dublin Austin Porto Leeds Prague Lyon Turin Malmo Cork",
        "thing": "report mockup release contract budget ticket checklist script prototype chart",
        "place": "cafe park office museum shop station gym cinema library harbour",
        "time": "tomorrow yesterday today tonight later soon again afterwards monday friday",
        "food": "soup pasta rice curry pizza salad fish porridge noodles pancakes",
        "mood": "great strange funny hard calm quick slow easy silly sad",
        "tool": "PyCharm Figma Notion Postgres Docker Excel Slack Jira Git Linux",
    },
}
_SENTENCES = {
    "ru": (
        "Привет, {name}, как прошёл день?",
        "Мы с {name} весь вечер сидели в {place} и обсуждали {thing} номер {n}.",
        "Я сейчас живу в {city}, переехал {n} дней назад.",
        "{time} нужно отправить {thing}, иначе {name} расстроится.",
        "Готовил {food} по новому рецепту, вышло {mood}.",
        "Кажется, {tool} опять упал, перезапустил {n} раз.",
        "Работаю над {thing}ом, осталось {n} страниц.",
        "Мой брат {name} вчера ходил в поход на {n} километров.",
        "Не забудь, дедлайн по проекту {n} мая, бюджет не больше {n} тысяч рублей.",
        "Спасибо, это {mood} и очень помогло!",
        "А ты видел, что пишут про {city}? Говорят, там {mood}.",
        "У меня аллергия на орехи, поэтому {food} без них.",
        "Я пишу на Python и пользуюсь {tool}, мне нравится.",
        "Если бы у меня было {n} часов свободных, съездил бы в {place}.",
        "Ха-ха, {name} как всегда, пришёл через {n} минут.",
        "Погода сегодня {mood}, гуляли до самого {place}а.",
    ),
    "en": (
        "Hey {name}, how was your day?",
        "We spent the whole evening in a {place} talking about {thing} number {n}.",
        "I live in {city} now, we moved {n} days ago.",
        "{time} we have to send the {thing}, or {name} will be upset.",
        "I cooked {food} after a new recipe and it turned out {mood}.",
        "Looks like {tool} crashed again, I restarted it {n} times.",
        "Still working on the {thing}, {n} pages left.",
        "My brother {name} went on a hike of {n} miles last weekend.",
        "Remember, the deadline is May {n} and the budget is no more than {n} thousand dollars.",
        "Thanks, that is {mood} and it helped a lot!",
        "Have you seen the news from {city}? They say it is {mood} there.",
        "I'm allergic to peanuts, so {food} without them please.",
        "I write Python and use {tool} every day, love it.",
        "If I had {n} free hours I would go to the {place}.",
        "Haha, {name} as always, showed up {n} minutes late.",
        "The weather was {mood}, so we walked past the {place} all the way home.",
    ),
}
_SECRETS: dict[str, tuple[tuple[str, Callable[[random.Random], str]], ...]] = {
    "ru": (
        ("Оплати с моей карты {}, срок потом скину.", lambda r: _card(r)),
        ("Пароль от вайфая {}, никому не говори.", lambda r: _password(r)),
        ("Ключ доступа к сервису: {}", lambda r: _key(r)),
    ),
    "en": (
        ("Put it on my card {}, I will send the date later.", lambda r: _card(r)),
        ("The wifi password is {}, keep it to yourself.", lambda r: _password(r)),
        ("Here is the API key: {}", lambda r: _key(r)),
    ),
}


def write_chat(path: Path, n_messages: int, seed: int) -> int:
    """Write a log of `n_messages`, a JSON line each; returns how many hold a secret of their own,
    one in `SECRET_EVERY`. Dialogs of `PER_DIALOG` messages are Russian and English in turn."""
    made = random.Random(seed)
    at = datetime(2025, 3, 1, 9, tzinfo=UTC)
    n_secrets = 0
    with path.open("w", encoding="utf-8") as out:
        for n in range(n_messages):
            dialog = n // PER_DIALOG
            lang = ("ru", "en")[dialog % 2]
            if n % SECRET_EVERY == SECRET_EVERY - 1:
                frame, make = made.choice(_SECRETS[lang])
                text = frame.format(make(made))
                n_secrets += 1
            else:
                text = " ".join(_sentence(lang, made) for _ in range(made.choice((1, 1, 2, 3))))
            at += timedelta(minutes=made.randint(1, 90))
            speakers = _WORDS[lang]["name"].split()
            message = {
                "dialog_id": f"chat-{seed}-{dialog}",
                "message_id": f"{seed}-{n}",
                "speaker": speakers[(dialog + n % 2) % len(speakers)],
                "role": "user",
                "sent_at": at.isoformat(),
                "text": text,
            }
            out.write(json.dumps(message, ensure_ascii=False) + "\n")
    return n_secrets


def _sentence(lang: str, made: random.Random) -> str:
    words = {slot: made.choice(choices.split()) for slot, choices in _WORDS[lang].items()}
    sentence = made.choice(_SENTENCES[lang]).format(n=made.randint(2, 29), **words)
    return sentence[0].upper() + sentence[1:]


def _card(made: random.Random) -> str:
    digits = "4" + "".join(str(made.randint(0, 9)) for _ in range(14))
    digits += luhn.calc_check_digit(digits)
    return " ".join(digits[at : at + 4] for at in range(0, 16, 4))


def _password(made: random.Random) -> str:
    return "".join(made.choices("abcdefghkmnpqrstuvwxyz", k=6)) + f"{made.randint(1000, 9999)}!"


def _key(made: random.Random) -> str:
    letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789"
    return "sk-" + "".join(made.choices(letters, k=40))
