"""French."""

from cuedeck.records.experiences.languages.base import language, stem_by

FRENCH = language(
    "fr",
    empty="""
    le la les l un une des du de d au aux ce cet cette ces c ca il elle on je j tu nous vous ils elles
    me m te t se s mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs y en
    est sont etait etaient etre ete a ont avait avaient avoir ai as suis es sommes etes sera seront
    et mais donc or que qu qui dont quand lorsque lorsqu comme ne n dans sur par pour avec chez sous
    vraiment juste simplement aussi bien tres plutot evidemment certainement effectivement clairement
    honnetement naturellement franchement decidement justement surtout merci veuillez bonjour salut voila alors
    absolument totalement completement franchement personnellement apparemment vraisemblablement carrement
    pardon excusez desole cordialement salutations enfin bref quoi hein svp stp
    """,
    phrases="""
    s'il te plait
    s'il vous plait
    merci beaucoup
    merci d'avance
    merci bien
    merci de
    si possible
    si c'est possible
    je vous prie de
    je vous prie
    je te prie
    pourriez vous
    pourrais tu
    peux tu
    pouvez vous
    pour information
    pour ton information
    pour votre information
    pour rappel
    en fait
    en effet
    bien sur
    a vrai dire
    en realite
    d'ailleurs
    du coup
    tout a fait
    tout simplement
    au fait
    il faut noter que
    n'oublie pas que
    n'oubliez pas que
    n'oublie pas
    n'oubliez pas
    il est a noter que
    a noter que
    je voudrais que
    je voudrais
    j'aimerais que
    je tiens a preciser que
    si tu peux
    si vous pouvez
    si cela ne vous derange pas
    si ca ne te derange pas
    quand tu auras le temps
    auriez vous l'amabilite de
    ayez l'amabilite de
    je vous remercie
    je te remercie
    avec plaisir
    en general
    a mon avis
    sans aucun doute
    sans doute
    sans faute
    pour ainsi dire
    autrement dit
    c'est a dire
    comme prevu
    comme d'habitude
    de toute facon
    par ailleurs
    en quelque sorte
    """,
    opening="""
    note notez noter retenir retenez retiens savoir sache sachez rappelle rappelez rappel information attention
    memo noter gardez garde tete esprit
    """,
    negations="pas jamais aucun aucune non sans ni rien personne guere plus",
    sides="que qu avant apres vers a de depuis pour au lieu place plutot sur contre par puis ensuite",
    telling="""
    seulement uniquement sauf toujours parfois souvent rarement jusque premier dernier prochain gauche droite
    moins tout tous chaque
    lundi mardi mercredi jeudi vendredi samedi dimanche
    janvier fevrier avril juin juillet aout septembre octobre novembre decembre
    rouge vert bleu jaune noir blanc gris orange violet rose marron
    """,
    numbers="zero - deux trois quatre cinq six sept huit neuf dix onze douze",
    stem=stem_by("s x e es ent ee ees er ez ait aient ais ant ants ante antes aux al ales"),
)
