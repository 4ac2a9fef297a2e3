"""Spanish."""

from cuedeck.records.experiences.languages.base import language, stem_by

SPANISH = language(
    "es",
    empty="""
    el la los las un una unos unas lo al del de en a con por para y e que se me te le les nos os
    yo tu mi mis su sus nuestro nuestra este esta esto estos estas ese esa eso
    es son era eran fue fueron ser sido esta estan estaba estaban ha han habia hay haber he
    pero pues como cuando cual quien
    realmente simplemente tambien basicamente sinceramente obviamente ciertamente claramente muy bien claro
    naturalmente verdaderamente francamente evidentemente efectivamente gracias favor hola bueno entonces
    absolutamente totalmente completamente personalmente aparentemente seguramente verdad perdon disculpa disculpe
    saludos atentamente vale vamos oye mira
    """,
    phrases="""
    por favor
    muchas gracias
    mil gracias
    gracias de antemano
    si es posible
    si puede ser
    te lo ruego
    se lo ruego
    le ruego que
    te ruego que
    podrias
    podria usted
    puedes
    por supuesto
    desde luego
    en realidad
    de hecho
    la verdad
    ten en cuenta
    tenga en cuenta
    para tu informacion
    para su informacion
    que sepas
    en fin
    o sea
    no olvides que
    no olvide que
    no olvides
    no te olvides de que
    cabe senalar que
    hay que tener en cuenta que
    me gustaria que
    me gustaria
    quisiera que
    quisiera
    te agradeceria que
    le agradeceria que
    te lo agradezco
    se lo agradezco
    se agradece
    si puedes
    si puede
    si no te importa
    si no le importa
    si no es molestia
    cuando puedas
    cuando pueda
    si eres tan amable
    sea tan amable de
    tenga la bondad de
    en general
    a mi juicio
    en mi opinion
    sin duda alguna
    sin duda
    sin falta
    es decir
    como siempre
    como te dije
    como ya sabes
    en cualquier caso
    de todos modos
    de todas formas
    al fin y al cabo
    muchisimas gracias
    muy agradecido
    un saludo
    saludos cordiales
    por cierto
    claro que si
    """,
    opening="""
    recuerda recordar recuerde nota notar anota anotar anote cuenta sepas sepa saber informacion aviso ojo memo
    aviso mente presente importante
    """,
    negations="no nunca jamas sin ni tampoco nadie nada ningun ninguna ninguno",
    sides="que a de antes despues hacia desde lugar vez para sobre contra por en tras luego entonces",
    telling="""
    solo solamente excepto salvo siempre veces menudo raramente hasta primero ultimo proximo izquierda derecha
    mas menos todo todos cada
    lunes martes miercoles jueves viernes sabado domingo
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    rojo verde azul amarillo negro blanco gris naranja morado violeta rosa marron
    """,
    numbers="cero - dos tres cuatro cinco seis siete ocho nueve diez once doce",
    stem=stem_by(
        "s es a o as os e en an ar er ir ado ada ados adas ido ida idos idas "
        "ando iendo io ios ia ias ieron aron aba aban"
    ),
)
