"""French, Spanish, Portuguese and Italian."""

from __future__ import annotations

from cuedeck.records.integrity.languages.base import CONTRAST, NOT, Language, forms, phrase, words

FRENCH = Language(
    verbs=forms(
        """
        is: est sont suis reste restent
        prefer: préfère préfèrent aime aiment veut souhaite adore
        use: utilise utilisons utilisent utilisez
        need: exige nécessite requiert
        have: a ont avons contient
        support: supporte accepte
        run: tourne tournent fonctionne fonctionnent
        live: habite vit réside trouve
        take: dure
        start: commence démarre
        end: finit termine
        cost: coûte
        """
    ),
    negations=words("ne n' pas plus jamais aucun aucune"),
    fillers=words(
        """le la les l' un une des du d' maintenant toujours aussi tous toutes chaque doit doivent faut qu' que j' se s'
        désormais actuellement"""
    ),
    joints=words("dans sur en pour avec par de à au aux sous chez vers entre avant après comme sans"),
    scopes=words("pour avant après sans de"),
    cuts=words("car parce puisque mais"),
    doubts=words("peut peut-être était étaient pourrait si avait semble"),
    user=words("utilisateur utilisatrice je moi mon ma mes"),
    us=words("nous on notre nos équipe projet"),
    vague=words("ce cela ça c' ceci il elle ils elles"),
    attributes=words(
        """nom port jour date heure délai fuseau langue couleur thème police éditeur branche version licence base
        responsable hôte adresse domaine chemin dossier région limite taille durée budget prix format niveau devise"""
    ),
    norms=words("préfère toujours jamais"),
    is_noun_first=True,
    opposites={"désactivé": "activé", "désactivée": "activée", "interdit": "autorisé", "déteste": "aime"},
    phrases=(
        phrase("au lieu|plutôt", r"\b(?:au lieu de|plutôt que)\b", f" {CONTRAST} "),
        phrase("pas", r",\s*(?:et )?pas\b", f" {CONTRAST} "),
        phrase("défaut", r"\bpar défaut\b", "défaut"),
    ),
)  # fmt: skip

SPANISH = Language(
    verbs=forms(
        """
        is: es son está están sigue soy
        prefer: prefiere prefiero prefieren gusta gustan quiere quiero
        use: usamos usa usan utilizamos utiliza uso
        need: necesita necesitan requiere requieren
        have: tiene tienen
        support: soporta admite
        run: corre funciona ejecuta
        live: vive reside
        take: dura tarda
        start: empieza comienza
        end: termina
        cost: cuesta
        """
    ),
    negations=words("no nunca jamás ningún ninguna tampoco"),
    fillers=words("el la los las un una unos unas al del le les ya ahora siempre también todos todas cada debe más"),
    joints=words("en a con por para de sobre desde hasta entre bajo según sin tras antes después como"),
    scopes=words("para antes después hasta sin tras de"),
    cuts=words("porque pues aunque pero"),
    doubts=words("quizás era eran estaba podría puede si fue había"),
    user=words("usuario usuaria yo mi mí me"),
    us=words("nosotros nos nuestro nuestra equipo proyecto"),
    vague=words("esto eso ese esa este esta él ella ello"),
    attributes=words(
        """nombre puerto base día fecha hora plazo zona idioma color tema fuente editor rama versión licencia
        responsable servidor dirección dominio ruta carpeta región límite tamaño duración
        presupuesto precio formato nivel moneda"""
    ),
    norms=words("prefiere siempre nunca jamás"),
    is_noun_first=True,
    opposites={"desactivado": "activado", "desactivada": "activada", "prohibido": "permitido", "odia": "gusta"},
    phrases=(
        phrase("lugar|vez", r"\b(?:en lugar de|en vez de)\b", f" {CONTRAST} "),
        phrase(" no ", r",\s*(?:y )?no\b", f" {CONTRAST} "),
        phrase("ya no", r"\bya no\b", NOT),
    ),
)  # fmt: skip

PORTUGUESE = Language(
    verbs=forms(
        """
        is: é são está estão fica
        prefer: prefere prefiro gosta gosto quer
        use: usamos usa usam utilizamos utiliza
        need: precisa precisam requer
        have: tem têm
        run: roda funciona executa
        live: mora vive
        take: dura leva
        start: começa
        end: termina
        cost: custa
        """
    ),
    negations=words("não nunca jamais nenhum nenhuma"),
    fillers=words("o a os as um uma do da dos das agora sempre também todos todas cada deve devem mais"),
    joints=words("em no na nos nas com por para de sobre desde até entre sob sem após antes como às ao à"),
    scopes=words("para antes após até sem de"),
    cuts=words("porque pois embora mas"),
    doubts=words("talvez era eram estava poderia pode se foi"),
    user=words("usuário usuária utilizador eu meu minha mim"),
    us=words("nós nosso nossa equipe equipa projeto"),
    vague=words("isto isso esse essa este esta ele ela"),
    attributes=words(
        """nome porta dia data hora prazo fuso idioma língua cor tema fonte editor branch ramo versão licença
        responsável servidor endereço domínio caminho pasta região limite tamanho orçamento preço formato moeda"""
    ),
    norms=words("prefere sempre nunca jamais"),
    is_noun_first=True,
    opposites={"desativado": "ativado", "desativada": "ativada", "proibido": "permitido", "odeia": "gosta"},
    phrases=(
        phrase("vez de|invés", r"\b(?:em vez de|ao invés de)\b", f" {CONTRAST} "),
        phrase("mais", r"\bnão (.*?)\bmais\b", rf"{NOT} \1"),
        phrase(" não", r",\s*(?:e )?não\b", f" {CONTRAST} "),
    ),
)  # fmt: skip

ITALIAN = Language(
    verbs=forms(
        """
        is: è sono rimane resta
        prefer: preferisce preferisco piace vuole ama
        use: usiamo usa usano utilizziamo utilizza
        need: richiede serve
        have: ha hanno
        run: gira funziona
        live: vive abita
        take: dura
        start: inizia comincia
        end: finisce
        cost: costa
        """
    ),
    negations=words("non mai nessun nessuna"),
    fillers=words("il lo la i gli le l' un uno una del della dei ora adesso sempre anche tutti ogni deve devono più"),
    joints=words("in nel nella su sul sulla con per di da a al alla tra fra sotto senza prima dopo come"),
    scopes=words("per prima dopo senza di"),
    cuts=words("perché poiché ma"),
    doubts=words("forse era erano potrebbe può se fu"),
    user=words("utente io mio mia mi"),
    us=words("noi nostro nostra squadra progetto"),
    vague=words("questo questa quello quella esso ciò"),
    attributes=words("nome porta giorno data ora scadenza fuso lingua colore tema editor ramo versione licenza"),
    norms=words("preferisce sempre mai"),
    is_noun_first=True,
    phrases=(
        phrase("invece", r"\binvece di\b", f" {CONTRAST} "),
        phrase("più", r"\bnon (.*?)\bpiù\b", rf"{NOT} \1"),
        phrase(" non", r",\s*(?:e )?non\b", f" {CONTRAST} "),
    ),
)  # fmt: skip
