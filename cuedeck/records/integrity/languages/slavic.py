"""Polish, and Russian and Ukrainian in one table: their words do not get in each other's way."""

from __future__ import annotations

from cuedeck.records.integrity.languages.base import CONTRAST, NOT, Language, forms, phrase, words

POLISH = Language(
    verbs=forms(
        """
        is: jest są to
        prefer: woli lubi chce preferuje
        use: używamy używa używają
        need: wymaga potrzebuje
        have: ma mają
        run: działa
        live: mieszka
        """
    ),
    negations=words("nie nigdy żaden żadna"),
    fillers=words("teraz zawsze też również każdy każda musi już"),
    joints=words("w we na z ze do od dla przez po przed pod nad przy o za jako"),
    scopes=words("dla przed po do"),
    cuts=words("bo ponieważ gdyż ale"),
    doubts=words("może był była było były czy jeśli"),
    user=words("użytkownik użytkowniczka ja mój moja"),
    us=words("my nasz nasza zespół projekt"),
    vague=words("ten ta on ona ono"),
    attributes=words("nazwa imię port dzień data godzina termin język kolor gałąź wersja licencja adres ścieżka limit"),
    norms=words("woli zawsze nigdy"),
    phrases=(
        phrase("zamiast", r"\bzamiast\b", f" {CONTRAST} "),
        phrase(" nie", r",\s*(?:a )?nie\b", f" {CONTRAST} "),
        phrase("już nie", r"\bjuż nie\b", NOT),
    ),
)  # fmt: skip

CYRILLIC = Language(
    verbs=forms(
        """
        is: это есть является остаётся называется є це
        prefer: предпочитает предпочитаю любит люблю хочет хочу нравится віддає любить хоче подобається
        use: используем использует используют использовать применяем використовуємо використовує
        need: требует требуют нужен нужна нужно потребує
        have: имеет содержит має
        support: поддерживает поддерживаем підтримує
        run: работает работают запускается працює
        live: живёт живет находится лежит живе знаходиться
        store: хранится хранятся зберігається зберігаються
        take: занимает длится триває
        start: начинается стартует починається
        end: заканчивается
        cost: стоит коштує
        """
    ),
    negations=words("не нет ни никогда нельзя немає ні ніколи"),
    fillers=words("теперь сейчас всегда тоже также все каждый каждая должен должна надо тепер зараз завжди повинен"),
    joints=words("в во на с со к ко по для из от до у о об при через под над перед после без як как з із від"),
    scopes=words("для перед после до без"),
    cuts=words("потому поскольку но хотя тому бо але"),
    doubts=words("может возможно был была было были если ли наверное кажется може був була якщо"),
    user=words("пользователь пользователя пользователю я мне мой моя користувач користувачу мені"),
    us=words("мы нас наш наша команда проект ми команда"),
    vague=words("он она оно они этот эта тот та він вона"),
    attributes=words(
        """имя порт день дата время срок пояс язык цвет тема шрифт редактор ветка версия лицензия база владелец
        ответственный хост адрес домен путь папка регион лимит таймаут размер бюджет цена формат уровень валюта
        ім'я дата час мова колір гілка версія адреса шлях"""
    ),
    norms=words("предпочитает всегда никогда завжди ніколи"),
    opposites={
        "отключен": "включен", "отключена": "включена", "выключен": "включен", "выключена": "включена",
        "запрещено": "разрешено", "ненавидит": "любит",
    },
    phrases=(
        phrase("больше не|більше не", r"\bбольше не\b|\bбільше не\b", NOT),
        phrase("вместо|замість", r"\bвместо\b|\bзамість\b", f" {CONTRAST} "),
        phrase("а не", r",\s*а не\b", f" {CONTRAST} "),
        phrase("умолч|замовч", r"\bпо умолчанию\b|\bза замовчуванням\b", "умолчанию"),
    ),
)  # fmt: skip
