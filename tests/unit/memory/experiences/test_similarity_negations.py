"""A negation makes something else, in any language."""

from __future__ import annotations

import pytest

from cuedeck.records.experiences.duplicates import alike, find_near
from cuedeck.records.experiences.similarity import CHANGED

PAIRS = {
    "Hebrew": ("המשתמש אוהב מצב כהה בעורך שלו", "המשתמש לא אוהב מצב כהה בעורך שלו"),
    "Arabic": ("المستخدم يفضل الوضع الداكن في المحرر", "المستخدم لا يفضل الوضع الداكن في المحرر"),
    "Arabic laysa": ("الخادم سريع في بيئة الإنتاج الجديدة", "الخادم ليس سريع في بيئة الإنتاج الجديدة"),
    "Hindi": ("उपयोगकर्ता को गहरा मोड पसंद है हर संपादक में", "उपयोगकर्ता को गहरा मोड पसंद नहीं है हर संपादक में"),
    "Bengali": ("ব্যবহারকারী শুক্রবারে নতুন সংস্করণ প্রকাশ করে", "ব্যবহারকারী শুক্রবারে নতুন সংস্করণ প্রকাশ করে না"),
    "Greek": ("Ο χρήστης θέλει σκούρο θέμα στον επεξεργαστή", "Ο χρήστης δεν θέλει σκούρο θέμα στον επεξεργαστή"),
    "Greek mi": ("Να κάνεις ανάπτυξη κάθε φορά την Παρασκευή", "Να μη κάνεις ανάπτυξη κάθε φορά την Παρασκευή"),
    "Portuguese": ("O utilizador gosta do modo escuro no editor", "O utilizador não gosta do modo escuro no editor"),
    "Italian": ("Il cliente vuole il tema scuro nel suo editor", "Il cliente non vuole il tema scuro nel suo editor"),
    "Dutch": ("De klant wil donkere modus in de editor", "De klant wil niet donkere modus in de editor"),
    "Dutch geen": ("De server heeft toegang tot het netwerk", "De server heeft geen toegang tot het netwerk"),
    "Dutch now": ("Deploy nu op de server van de klant", "Deploy niet op de server van de klant"),
    "Norwegian": ("Brukeren vil ha mørkt tema i programmet", "Brukeren vil ikke ha mørkt tema i programmet"),
    "Swedish": ("Användaren vill ha mörkt tema i editorn", "Användaren vill inte ha mörkt tema i editorn"),
    "Czech": ("Uživatel chce tmavý režim v editoru", "Uživatel nechce tmavý režim v editoru"),
    "Czech není": ("Server je rychlý a spolehlivý v provozu", "Server není rychlý a spolehlivý v provozu"),
    "Czech nebyl": ("Server byl na jih od nas rychlý v provozu", "Server nebyl na jih od nas rychlý v provozu"),
    "Romanian": ("Utilizatorul vrea tema întunecată în editor", "Utilizatorul nu vrea tema întunecată în editor"),
    "Hungarian": ("A felhasználó szereti a sötét módot itt", "A felhasználó nem szereti a sötét módot itt"),
    "Turkish": ("Karanlık mod tercih edilen tek seçenek", "Karanlık mod tercih edilen tek seçenek değil"),
    "Vietnamese": ("Người dùng thích chế độ tối trong máy", "Người dùng không thích chế độ tối trong máy"),
    "Indonesian": ("Pengguna suka mode gelap di editor kode", "Pengguna tidak suka mode gelap di editor kode"),
    "Indonesian bukan": ("Ini server produksi pelanggan besar", "Ini bukan server produksi pelanggan besar"),
    "Thai": ("ผู้ใช้ชอบโหมดมืดในโปรแกรมแก้ไข", "ผู้ใช้ไม่ชอบโหมดมืดในโปรแกรมแก้ไข"),
    "Armenian": ("Օգտատերը սիրում մուգ ռեժիմը խմբագրիչում", "Օգտատերը չի սիրում մուգ ռեժիմը խմբագրիչում"),
    "Ukrainian": ("Користувач любить темну тему в редакторі", "Користувач не любить темну тему в редакторі"),
    "Korean": ("사용자는 금요일에 모든 서버에 배포 한다", "사용자는 금요일에 모든 서버에 배포 안 한다"),
    "German words in English": ("Das ist the plan of the team", "Das ist nicht the plan of the team"),
}


@pytest.mark.parametrize(("one", "other"), PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("tail", ["", " the deploy of the team is done by the bot and the log is kept in the archive"])
def test_a_negation_makes_something_else_in_any_language(one: str, other: str, tail: str) -> None:
    assert alike("words", one + tail, other + tail) <= CHANGED
    assert find_near("words", 0.85, {"a": one + tail}, other + tail) is None
    assert alike("words", other + tail, f"  {other + tail}!") == 1


def test_a_shortened_not_by_itself_is_one() -> None:
    assert alike("words", "N'T", "not") == 1
