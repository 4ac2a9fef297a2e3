"""Polish."""

from cuedeck.records.experiences.languages.base import language, stem_by

POLISH = language(
    "pl",
    empty="""
    i oraz a w we z ze na do od o u dla sie jest sa byl byla bylo byly bedzie beda byc to ten ta te tego tej tych tym
    ja ty my wy on ona ono oni mi ci go jego jej ich moj moja twoj nasz ze zeby aby ktory ktora ktore juz jak gdy
    ale wiec
    prosze dziekuje dzieki naprawde wlasciwie oczywiscie tez takze zreszta faktycznie rzeczywiscie przeciez bardzo
    wyraznie doprawdy istotnie szczerze naturalnie zasadniczo ogolnie czesc
    absolutnie calkowicie zupelnie osobiscie najwyrazniej niewatpliwie pewnie akurat wlasnie przepraszam pozdrawiam
    pozdrowienia witam dzien dobry ponadto chociaz
    """,
    phrases="""
    po prostu
    w zasadzie
    z pewnoscia
    bez watpienia
    szczerze mowiac
    tak naprawde
    w gruncie rzeczy
    rzecz jasna
    jesli to mozliwe
    jesli mozna
    o ile to mozliwe
    z gory dziekuje
    serdecznie dziekuje
    dziekuje bardzo
    bardzo prosze
    uprzejmie prosze
    czy mozesz
    czy moglbys
    czy moglabys
    dla informacji
    tylko zebys wiedzial
    zebys wiedzial
    nie zapomnij ze
    nie zapomnij
    nie zapominaj ze
    nalezy pamietac ze
    warto zauwazyc ze
    warto pamietac ze
    chcialbym zeby
    chcialbym aby
    chcialabym zeby
    bylbym wdzieczny
    bede wdzieczny
    bede wdzieczny jesli
    jesli mozesz
    jesli mozna prosic
    gdybys mogl
    jesli to nie problem
    w wolnej chwili
    jak bedziesz mial czas
    badz tak mily i
    z powazaniem
    wielkie dzieki
    stokrotne dzieki
    moim zdaniem
    innymi slowy
    tak czy inaczej
    w kazdym razie
    jak zwykle
    jak zawsze
    jak mowilem
    w sumie
    na pewno
    w istocie
    w rzeczywistosci
    tak zwany
    ogolnie rzecz biorac
    ogolnie mowiac
    mimo wszystko
    """,
    opening="""
    pamietac pamietaj zanotowac zanotuj zapisac zapisz zapisanie wiedziec wiedz informacja uwaga przypominam
    notatka przypomnienie zapamietaj zwroc uwage wazne
    """,
    negations="nie nigdy bez zaden zadna zadne zadnego zadnej zadnych ani nikt nic brak",
    sides="niz przed po zamiast do z od na nad pod przez miedzy dla w a potem nastepnie",
    telling="""
    tylko oprocz chyba zawsze czasami czesto rzadko zwykle pierwszy ostatni nastepny lewo prawo wiecej mniej kazdy
    poniedzialek wtorek sroda czwartek piatek sobota niedziela
    styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien
    czerwony zielony niebieski zolty czarny bialy szary pomaranczowy fioletowy rozowy brazowy
    """,
    numbers="zero jeden dwa trzy cztery piec szesc siedem osiem dziewiec dziesiec jedenascie dwanascie",
    stem=stem_by(
        "a e i o u y ik icy ow om ach ami em ie ia iach iami owi owie ej ego emu ych ich ymi imi ym im ac ec ic yc "
        "al ala alo ali aly il ila ilo ili ily yl yla yly aja uja uje am asz amy eniem eniami eniu enie enia"
    ),
)
