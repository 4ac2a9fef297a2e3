"""Pairs of English and Spanish words with the same meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from cuedeck.text.fold_text import fold_text, fold_word_list
from cuedeck.text.words import read_stems

_PAIRS = """
    dog perro, dog perra, cat gato, cat gata, pet mascota, bird pájaro, fish pez
    lunch almuerzo, lunch almorzar, lunch almorcé, dinner cena, dinner cenar
    breakfast desayuno, breakfast desayunar, food comida, meal comida, eat comer
    drink beber, drink tomar, cook cocinar, kitchen cocina, recipe receta
    restaurant restaurante, bread pan
    water agua, coffee café, tea té, milk leche, wine vino, beer cerveza, cake pastel
    cheese queso, rice arroz, meat carne, chicken pollo, egg huevo, fruit fruta
    apple manzana, vegetable verdura, sugar azúcar, salt sal
    shrimp camarón, shrimp gamba, seafood marisco, shrimp marisco, lobster langosta
    crab cangrejo, fish pescado, allergy alergia, allergic alérgico
    birthday cumpleaños, wedding boda, party fiesta, gift regalo, present regalo
    holiday vacaciones, vacation vacaciones, trip viaje, travel viajar, flight vuelo
    airport aeropuerto, train tren, bus autobús, car coche, car carro, bike bicicleta
    bicycle bicicleta, road carretera, street calle, map mapa, ticket billete
    ticket boleto, suitcase maleta, passport pasaporte, hotel alojamiento
    name nombre, name llamar, call llamar, called llamar, phone teléfono
    address dirección
    yesterday ayer, today hoy, tomorrow mañana, morning mañana, afternoon tarde
    night noche, evening noche, day día, week semana, month mes, year año, hour hora
    time tiempo, date fecha, weekend finde, spring primavera, summer verano
    autumn otoño, fall otoño, winter invierno
    monday lunes, tuesday martes, wednesday miércoles, thursday jueves, friday viernes
    saturday sábado, sunday domingo
    january enero, february febrero, march marzo, april abril, may mayo, june junio
    july julio, august agosto, september septiembre, october octubre
    november noviembre, december diciembre
    project proyecto, meeting reunión, task tarea, pending pendiente, note nota
    list lista, plan plan, goal objetivo, goal meta, deadline plazo, deadline entrega
    delivery entrega, deliver entregar, client cliente, customer cliente, boss jefe
    team equipo, work trabajo, work trabajar, job empleo, job trabajo, office oficina
    company empresa, colleague compañero, coworker compañero, hire contratar
    salary sueldo, salary salario, contract contrato, invoice factura, bill factura
    bill cuenta, budget presupuesto, price precio, cost coste, cost costo, pay pagar
    payment pago, money dinero, bank banco, tax impuesto, rent alquiler, buy comprar
    bought comprar, sell vender, sold vender, purchase compra, shop tienda, store tienda
    favorite favorito, favourite favorito, prefer preferir, preference preferencia
    like gustar, love amar, hate odiar, want querer, need necesitar, choose elegir
    decide decidir, decision decisión, agree acordar, agreement acuerdo
    reject rechazar, approve aprobar, change cambiar, change cambio, remember recordar
    reminder recordatorio, forget olvidar, learn aprender, lesson lección, know saber
    think pensar, believe creer, idea ocurrencia, question pregunta, ask preguntar
    answer respuesta, answer responder, problem problema, solution solución
    solve resolver, fix arreglar, repair reparar, break romper, broken roto
    help ayudar, help ayuda, try probar, try intentar, attempt intento, use usar
    start empezar, begin comenzar, finish terminar, end final, stop parar, open abrir
    close cerrar, send enviar, receive recibir, write escribir, read leer, speak hablar
    talk hablar, say decir, said decir, tell contar, listen escuchar, hear oír, see ver
    look mirar, watch ver, find encontrar, search buscar, lose perder, lost perder
    win ganar, won ganar, save guardar, delete borrar, remove quitar, add añadir
    add agregar, create crear, make hacer, build construir, move mover, bring traer
    take llevar, give dar, visit visitar, visit visita, meet conocer, live vivir
    arrive llegar, leave salir, return volver, go ir, come venir, run correr
    walk caminar, walk paseo, swim nadar, play jugar, sing cantar, dance bailar
    paint pintar, painting pintura, draw dibujar, drawing dibujo, sleep dormir
    study estudiar, teach enseñar, school escuela, university universidad, class clase
    course curso, exam examen, teacher profesor, student estudiante, student alumno
    book libro, novel novela, page página, chapter capítulo, author autor
    music música, song canción, guitar guitarra, piano teclado, movie película
    film película, game juego, match partido, photo foto, picture imagen, image imagen
    news noticia, letter carta, message mensaje, mail correo, email correo
    newspaper periódico, language idioma, word palabra, translate traducir
    house casa, home casa, flat piso, apartment apartamento, apartment piso
    room habitación, bedroom dormitorio, bathroom baño, door puerta, window ventana
    key llave, table mesa, chair silla, bed cama, garden jardín, plant planta
    flower flor, tree árbol, neighbour vecino, neighbor vecino, move mudanza
    city ciudad, town pueblo, village pueblo, country país, beach playa, sea mar
    mountain montaña, river río, lake lago, weather tiempo, rain lluvia, snow nieve
    sun sol, hot calor, cold frío
    family familia, mother madre, mom mamá, father padre, dad papá, parents padres
    son hijo, daughter hija, child niño, children niños, kid niño, baby bebé
    brother hermano, sister hermana, grandmother abuela, grandfather abuelo, uncle tío
    aunt tía, cousin primo, husband marido, wife esposa, wife mujer, girlfriend novia
    boyfriend novio, friend amigo, friend amiga, people gente, man hombre, woman mujer
    boy chico, girl chica
    doctor médico, doctor doctora, dentist dentista, nurse enfermera, hospital clínica
    appointment cita, medicine medicina, medicine medicamento, pill pastilla
    health salud, sick enfermo, illness enfermedad, pain dolor, headache jaqueca
    surgery operación, injury lesión, hurt doler, tooth diente, knee rodilla
    back espalda, head cabeza, hand mano, leg pierna, eye ojo, heart corazón
    exercise ejercicio, gym gimnasio, diet dieta, weight peso, shoe zapato
    shirt camisa, clothes ropa, dress vestido, coat abrigo
    happy feliz, sad triste, angry enfadado, tired cansado, afraid miedo, fear miedo
    dream sueño, hobby afición, sport deporte, soccer fútbol, football fútbol
    big grande, small pequeño, new nuevo, old viejo, good bueno, bad malo, best mejor
    better mejor, worse peor, fast rápido, slow lento, easy fácil, hard difícil
    difficult difícil, important importante, urgent urgente, free gratis
    cheap barato, expensive caro, first primero, last último, next próximo
    red rojo, blue azul, green verde, yellow amarillo, black negro, white blanco
    color gris, size tamaño, number número
    computer ordenador, computer computadora, laptop portátil, screen pantalla
    keyboard teclado, file archivo, file fichero, folder carpeta, printer impresora
    password contraseña, user usuario, account cuenta, network red, server servidor
    cloud nube, database base, backup respaldo, backup copia, update actualizar
    update actualización, upgrade actualizar, version versión, release lanzamiento
    release versión, launch lanzamiento, deploy desplegar, deployment despliegue
    test prueba, test probar, bug fallo, bug error, failure fallo, fail fallar
    error fallo, crash caída, outage caída, slow lentitud, performance rendimiento
    memory memoria, storage almacenamiento, security seguridad, design diseño
    code código, library biblioteca, library librería, feature funcionalidad
    requirement requisito, branch rama, review revisión, review revisar
    settings ajustes, settings configuración, setup configuración, button botón
    link enlace, website web, page web, report informe, report reporte
    schedule horario, schedule agenda, calendar calendario, event evento
    conference congreso, conference conferencia, talk charla, presentation presentación
    slide diapositiva, workshop taller, interview entrevista, training formación
    license licencia, law ley, lawyer abogado, insurance seguro, visa visado
    electricity luz, power corriente, heating calefacción, noise ruido, key clave
"""


_PREFIX = 3
"""Letters that a word shares with every word of the same stem."""


def synonym_stems(stem: str, own_groups: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the stems of the words that mean the same as the words with this stem.

    `own_groups` are the user's groups of synonyms, each as words separated by spaces.
    Order: the user's synonyms first.
    """
    found: dict[str, None] = {}
    for source in dict.fromkeys((own_groups, ())):
        for word, group in _words_by_prefix(source).get(stem[:_PREFIX], ()):
            if stem not in read_stems(word):
                continue
            for other in group:
                if other != word:
                    found.update(dict.fromkeys(read_stems(other)))
    found.pop(stem, None)
    return tuple(found)


@cache
def _words_by_prefix(
    own_groups: tuple[str, ...],
) -> Mapping[str, Sequence[tuple[str, Sequence[str]]]]:
    """Return the words of these groups, else of the built-in pairs, with their groups
    by their first letters without accents; stemming all words takes long.
    """
    fold = fold_text if own_groups else fold_word_list
    found: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for text in own_groups or _PAIRS.replace("\n", ",").split(","):
        group = text.split()
        for word, folded in zip(group, fold(text).split(), strict=True):
            found.setdefault(folded[:_PREFIX], []).append((word, group))
    return found
