"""Tables of words and phrases that show the kind of a sentence, in six languages.

A phrase matches whole words in any case, with or without accents and apostrophes; `*`
matches the rest of a word, `**` up to five words.
"""

from __future__ import annotations

RULES = """
    from now on; from here on; make it a rule; as a rule; unless i ask; unless i say;
    unless i tell; i prefer; remember this:; i'll run ** myself; i will run ** myself;
    i'll test ** myself; i'll commit ** myself; i'll push ** myself; i'll deploy **
    myself; i'll start ** myself; i'll do ** commits myself; i'll test manually;
    remember this is; remember that this is; don't want ** anymore; don't want ** any
    more; make sure you build; make sure you test; you need to do ** to make sure; you
    need to run ** to make sure; a partir de ahora; de ahora en adelante; prefiero;
    salvo que te lo pida; a menos que te lo pida; a menos que lo pida; recuerda esto; lo
    ejecuto yo; lo corro yo; recuerda que esto es; désormais; à partir de maintenant;
    dorénavant; je préfère; sauf si je; retiens ceci; je le lance moi-même; je lance **
    moi-même; rappelle-toi que c'est; je ne veux plus de; ab jetzt; ab sofort; künftig;
    ich bevorzuge; außer wenn ich; merk dir; das mache ich selbst; ich starte ** selbst;
    ich teste ** selbst; ich committe ** selbst; denk daran, dass das; отныне; впредь; с
    этого момента; я предпочитаю; если я не попрошу; запомни; сам запущу; сама запущу;
    запущу сам; запущу сама; сам закоммичу; сама закоммичу; помни, что это; відтепер;
    надалі; з цього моменту; якщо я не попрошу; запам'ятай; сам закомічу; сама закомічу;
    пам'ятай, що це
"""
"""Phrases of a standing instruction, anywhere in a sentence."""
WITHDRAWALS = """
    forget the rule; forget what i said; ignore the rule; ignore what i said; no need to
    ** any more; no need to ** anymore; don't need to ** any more; don't need to **
    anymore; don't have to ** any more; don't have to ** anymore; you no longer need to;
    we no longer need to; you no longer have to; you can ** again; you may ** again;
    olvida la regla; olvida lo que dije; ya no hace falta; ya no es necesario; ya no
    tienes que; puedes volver a; oublie la règle; oublie ce que j'ai dit; plus besoin
    de; tu n'as plus besoin; tu peux ** à nouveau; tu peux ** de nouveau; vergiss die
    regel; vergiss, was ich; musst du nicht mehr; ist nicht mehr nötig; du darfst
    wieder; du kannst wieder; darfst du wieder; забудь правило; забудь, что я; больше не
    нужно; больше не надо; можешь снова; можно снова; забудь, що я; більше не потрібно;
    більше не треба; можеш знову; можна знову
"""
"""Phrases that withdraw an instruction."""
NEGATIONS = """
    no; not; don't; do not; never; avoid; stop; without; mustn't; shouldn't; forbidden;
    nunca; jamás; sin; evita; ne; pas; jamais; sans; évite; nicht; nie; niemals; kein*;
    ohne; vermeide; не; нельзя; никогда; без; ніколи; не можна
"""
ADVERBS = """
    always; never; next time; every time you; whenever you; going forward;
    it's forbidden; siempre; nunca; jamás; la próxima vez; cada vez que hagas;
    cada vez que termines; cada vez que cambies; toujours; jamais; la prochaine fois;
    chaque fois que tu; à chaque fois que tu; immer; niemals; nie; nächstes mal;
    beim nächsten mal; jedes mal wenn du; jedes mal, wenn du; всегда; никогда; нельзя;
    в следующий раз; каждый раз, когда ты; каждый раз когда ты; завжди; ніколи;
    не можна; наступного разу; щоразу, коли ти; щоразу коли ти
"""
"""Words that begin a clause with a standing instruction; elsewhere, they describe what
a program does.
"""
ORDERS = """
    don't; do not; only use; use only; avoid; stop *ing; you must not; i don't want you
    to; no uses; no toques; no cambies; no hagas; no agregues; no borres; no vuelvas a;
    evita; usa solo; ne * pas; n'utilise; n'ajoute; évite; arrête de; bitte keine; bitte
    nicht; vermeide; hör auf; benutze nur; verwende nur; не надо; не используй; не
    трогай; не меняй; не добавляй; не удаляй; больше не; используй только; не делай; не
    треба; не використовуй; не чіпай; не змінюй; не додавай; не видаляй; більше не;
    використовуй лише; не роби; everything has to be; everything must be; todo tiene que
    ser; tout doit être; alles muss; всё должно быть; усе має бути; все має бути
"""
"""Beginnings of orders: standing ones if the message says little else, otherwise the
limits of its task.
"""
ENDLESS = """
    again; ever; anymore; any more; ever again; in the future; under any circumstances;
    otra vez; nunca más; jamás; en el futuro; plus jamais; à l'avenir; nie wieder;
    nie mehr; in zukunft; никогда; больше никогда; в будущем; ніколи; більше ніколи;
    у майбутньому
"""
"""Phrases with which an order is a standing one."""
LEADS = """
    and; but; also; please; ok; okay; so; then; just; you; we; i want you to;
    i'd like you to; should; must; need to; have to; make sure to; make sure you;
    make sure that you; remember to; be sure to; try to; go ahead; now; y; pero;
    también; por favor; debes; hay que; tienes que; tenés que; usa; utiliza; escribe;
    escribí; haz; hacé; ejecuta; corre; pon; et; mais; aussi; s'il te plaît; tu dois;
    il faut; utilise; écris; fais; lance; mets; ne *; und; aber; auch; bitte; du sollst;
    verwende; benutze; nutze; schreib*; mach*; и; но; а; также; пожалуйста; используй*;
    пиши*; делай*; запускай*; проверяй*; і; але; також; будь ласка; використовуй*;
    роби*; перевіряй*
"""
"""Words before the adverb or the verb of an instruction."""
REFERENCES = """
    it; this; that; them; these; those; esto; eso; ça; cela; ceci; das; es; dies; это;
    этот; эту; этого; его; их; це; цей; цю; цього; його; їх
"""
"""Words of a short rule that refer to the sentence before it."""
CORRECTIONS = """
    no,; no.; no!; nope; noo*; wrong; incorrect; that's not; that is not; that isn't;
    this isn't; this is not; this is wrong; this is incor*; not like that; revert; let's
    revert; undo; let's undo; stop doing; still wrong; still doesn't; still does not;
    still *ing; still an error; still have an error; yeah but; instead of; use **
    instead; the correct; debería ser; sigo sin; lo sigo; i don't want; you need to
    switch back; you are deleting; you deleted; you removed; you broke; you forgot; you
    changed; we shouldn't be; i reverted; i undid; i undo; no quiero un; por qué no
    est*; está mal; eso no; así no; esto no funciona; no me gusta; sigue sin; revierte;
    deshaz; deshacé; c'est faux; ce n'est pas; pas comme ça; annule; reviens en arrière;
    falsch; so nicht; nicht so; das ist falsch; das stimmt nicht; mach das rückgängig;
    неправильно; не так; верни; отмени; это не то; это неверно; поверни; скасуй; це не
    те; це неправильно
"""
"""Beginnings of messages that correct the last turn."""
UNDOING = """
    revert*; undo; undid; put it back; put them back; deshac*; deshaz; revierte; annule;
    reviens en arrière; rückgängig; верни; отмени; поверни; скасуй
"""
"""Phrases of corrections that take back all that the last turn changed."""
OBJECTIONS = """
    is confusing; put it back; except that; but it doesn't; not mine; i said; i meant; i
    asked you; that's what i; i only asked; i only wanted; i didn't ask; i didn't want
    you; what i asked; when i asked; what i wanted; as i said; like i said; i told you;
    not what i; that's not what; you're wrong; you are wrong; you misunderst*; don't
    think you understand; that is not the issue; that's not the issue; this is not the
    issue; not sure you change*; why did you; why didn't you; why aren't you; why are
    you not; why on earth; you should not have; you shouldn't have; you were not
    supposed; you weren't supposed; te dije; te pedí; como dije; no te pedí; por qué
    hiciste; por qué cambiaste; por qué borraste; no es lo que; te equivocas; tenemos
    que deshacer; j'ai dit; je t'ai demandé; je t'avais dit; pourquoi as-tu; pourquoi tu
    as; ce n'est pas ce que; tu t'es trompé; ich sagte; ich habe gesagt; ich meinte; ich
    habe dich gebeten; warum hast du; nicht das, was ich; du hast vergessen; я сказал*;
    я просил*; я имел в виду; я имела в виду; зачем ты; почему ты; не то, что я; ты
    ошиб*; я казав; я казала; я просив; я просила; я мав на увазі; я мала на увазі;
    навіщо ти; чому ти; не те, що я; ти помили*
"""
"""Phrases near the beginning of a message that correct the last turn."""
REPORTS = """
    for some reason; still hitting; still getting; still seeing; doesn't work; didn't
    work; does not appear; doesn't actually; you just *ed; no lo veo; no veo que; no se
    borró; no aparece; sigue con; malheureusement; toujours pas; leider; immer noch
    nicht; к сожалению; всё ещё не; на жаль; досі не; unfortunately; sigue *ndole; are
    you sure; why do we need; pero veo; how is that better; no deberíamos; no está
    aparec*; veo que no; doesn't appear
"""
"""Phrases near the beginning of a message that report a fault of the last turn, which
no later turn needs to know.
"""
CHOICES = """
    let's go with; let's use; let's do; let's take; let's stick with; let's keep; go
    with; i'd prefer; i choose; i'll take; i agree with; we'll use; we should use; i
    want to use; i decided; we decided; decision:; agreed; vamos con; usemos; elijo;
    decidí; decidimos; mejor con; on prend; je choisis; allons-y avec; décidé; nehmen
    wir; wir nehmen; ich wähle; entschieden; давай возьм*; выбираю; решил*; будем
    использовать; используем; давай візьм*; обираю; вирішив; вирішила; вирішили;
    використаємо; lets just; we don't need; no need for; no need to; sounds good
"""
"""Beginnings of clauses with a choice."""
CAUSES = """
    the issue is; the issue was; the problem is; the problem was; the cause is; the
    cause was; the error is; the error indicates; the error occurs; this suggests that;
    the main issue; the real issue; the key issue; the core issue; the bug is; the bug
    was; root cause; the reason is; turns out; turned out; due to ** limitation*; el
    problema es; el problema era; el problema está; el problema real; el problema que **
    es; el error es; el error era; el error está; la causa; resulta que; le problème
    est; le problème était; le problème vient; l'erreur vient; la cause; il s'avère; das
    problem ist; das problem war; das problem liegt; der fehler ist; der fehler liegt;
    die ursache; stellt* sich heraus; проблема в; ошибка в; причина; оказалось;
    оказывается; помилка в; виявилося; виявляється; which doesn't match; expects ** but;
    but ** expects; which will fail; was due to; are due to; the error suggests; this
    happened because; this explains why; not being called; are never *ed; doesn't exist;
    is missing some; are missing; but doesn't use; still requires; is still requiring;
    same issue; does not contain; doesn't mention; are not present; are still using;
    doesn't have a; doesn't have the; this is a ** issue; there's still one; is not in
    scope; is due to
"""
ANNOUNCED = """
    found it; found the issue; found the problem; found the bug; found both bugs; i see
    the issue; i see the problem; see the issue now; understand the issue; can see the
    issue; can see the problem; identified the issue; he encontrado; identified the
    problem; the issue is clear; the problem is clear; veo el problema; veo un problema;
    veo el error; ahí está el problema; encontré el problema; encontré el error;
    identifiqué el problema; je vois le problème; j'ai trouvé le problème; j'ai trouvé
    l'erreur; ich sehe das problem; problem gefunden; fehler gefunden; вижу проблему;
    нашел проблему; нашла проблему; нашел ошибку; проблема найдена; бачу проблему;
    знайшов проблему; знайшла проблему; знайшов помилку; entiendo el problema
"""
"""Phrases that announce a finding, which a later sentence names."""
LAPSES = """
    i failed to; i should have; i didn't follow; i made an incorrect; i made a mistake;
    failed to apply it; my mistake; debí haber; debería haber; me equivoqué; j'aurais
    dû; je me suis trompé; ich hätte; mein fehler; мне следовало; моя ошибка; я ошибся;
    мені слід було; моя помилка
"""
"""Phrases with which an agent admits a lapse."""
FAILED = """
    failed to; has failed; have failed; it failed; fails to; still failed; still fails;
    failed with; fails with; failed because; fails because; failed on; fails on; failed
    at; fails at; failed due; fails due; failed again; fails again; failed in; failed
    when; failed:; fails.; failed.; failed!; did not work; didn't work; does not work;
    doesn't work; hangs; not supported; doesn't yet; ruled out; not the cause; reverted;
    reverting; i couldn't; i could not; check couldn't; was canceled; was cancelled;
    falló; no funciona; no funcionó; no se pudo; échoue; a échoué; ne fonctionne pas;
    n'a pas marché; fehlgeschlagen; schlägt fehl; funktioniert nicht; ging nicht; не
    работает; не сработало; не удалось; ошибка; не працює; не спрацювало; не вдалося;
    помилка
"""
DECISIONS = """
    decided; decision:; i chose; i went with; opted for; i switched to; we switched to;
    we're not using; i'm not using; not used because; on purpose; deliberately; due to
    version; to avoid breaking; decidí; decidimos; j'ai choisi; entschieden; решил*;
    вирішив; вирішила
"""
KEPT = """
    kept; i kept; i've kept; we keep; i left; maintained; preserved; mantuve;
    dejé; conservé; j'ai gardé; j'ai laissé; beibehalten; оставил*; сохранил*; залишив;
    залишила; зберіг; зберегла
"""
"""Beginnings of reports that something stays as it was."""
REASONS = """
    because; so; since; due to; for; instead of; rather than; while; to avoid; to keep;
    porque; para *ar; para *er; para *ir; para no; en lugar de; en vez de; parce que;
    pour; au lieu de; weil; damit; für; statt; потому; чтобы; для; вместо; тому що; щоб;
    замість
"""
"""Words with which such a report is a decision."""
CONTRASTS = """
    instead of; rather than; en lugar de; en vez de; au lieu de; statt; anstelle;
    вместо; замість
"""
"""Phrases before the value that another one replaces."""
DONE = """
    fixed; added; created; implemented; introduced; updated; removed; renamed; moved;
    completed; resolved; replaced; refactored; modified; rewritten; rewrote; converted;
    integrated; committed; pushed; he *ado; he *ido; corregido; corregida; agregado;
    agregada; añadido; creado; creada; implementado; actualizado; actualizada;
    eliminado; eliminada; rediseñado; arreglado; revertí; corrigé; ajouté; créé;
    supprimé; remplacé; terminé; behoben; hinzugefügt; erstellt; entfernt; ersetzt;
    umbenannt; исправлен*; исправил*; добавлен*; добавил*; создан*; создал*; удален*;
    удалил*; обновлен*; обновил*; виправлен*; виправив*; додан*; додав; додала;
    створен*; створив*; видален*; видалив*; оновлен*; оновив*; i've *ed; i've
    successfully *ed; i've also *ed; we've *ed; he reescrito; he hecho; agregué;
    eliminé; creé; actualicé; cambié; moví; removí; implementé; corregí; mejoré;
    reemplacé; ajusté; arreglé; quité; añadí
"""
FINISHED = """
    now uses; now has; now supports; now sends; now works; is complete; are complete; is
    fixed; are fixed; are resolved; successfully *ed
"""
"""Phrases of finished work with a verb of their own."""
LIMITS = """
    is; are; was; were; be; being; gets; get; to; already; es; son; está; est; sont;
    ist; sind; wird; werden; where; that; which; who; what; how; once; until; not; never; no; haven't; hasn't;
    isn't; aren't; wasn't; weren't; could; might; may; should; would; will; must;
    expected; donde; que; où; qui; wo; dass; где; что; де; що; lines; →; since; because
"""
"""Words of a sentence before a word of `DONE` that reports nothing: `the row is
updated`.
"""
OPEN = """
    need* review; what remains; what's missing; next step; next steps; remaining steps;
    remaining work; still to do; left to do; to-do; to-dos; still need*; still missing;
    still open; not yet; begin phase; i recommend; the fix would be; not written; is
    pending; are pending; still pending; when ready; to be done; próximo paso; próximos
    pasos; queda pendiente; quedan pendientes; falta; queda por; but there's another;
    but not yet; pero todavía; pero aún; pero hay otr*; mais il reste; mais encore; aber
    noch; aber es gibt noch; но ещё; но осталось; але ще; todavía no; prochaine étape;
    reste à; pas encore; nächster schritt; noch offen; noch nicht; fehlt noch; следующ*
    шаг; осталось; ещё не; пока не; наступн* крок; залишилося; ще не; поки не
"""
CHANGES = """
    changes made; changes implemented; summary of changes; what changed; what * changed;
    what * built; what * done; what * implemented; what * added; what * created; what *
    fixed; actions taken; fix applied; new files; files created; files updated; files
    fixed; documentation created; documents created; features implemented; features
    added; cambios realizados; cambio realizado; resumen de cambios
"""
"""Phrases of heads of finished work, besides `DONE`."""
PLANNED = """
    need*; propos*; plan; fix; fixes; how; to; should; common; likely; possible; posible*; cons
"""
"""Words of heads of plans and other work that is not done."""
WEAKNESSES = """
    root cause; problem*; issue*; what * broken; bug; what happened; what's happening;
    why this happened; what went wrong; gap*; cause*; mismatch*; problema*; causa*
"""
"""Phrases of heads of troubles and their causes."""
SUBORDINATES = """
    where; so that; to avoid; to prevent; to handle; to fix; should prevent; should fix;
    should help; will help; in case; cases; situations; donde; para que; para evitar;
    où; pour éviter; wo; damit; um zu vermeiden; где; чтобы; де; щоб
"""
"""Words after which a sentence names a known or a possible failure."""
CONDITIONS = """
    if; when; unless; whether; even if; si; cuando; quand; wenn; falls; если; когда;
    якщо; коли
"""
"""Words before what may happen."""
PASSING = """
    possibly; maybe; perhaps; likely; might; anything else; nothing else; let's discuss;
    nada más; rien d'autre; sonst nichts; больше ничего; not always; does not always;
    quizás; tal vez; peut-être; yet; today; tomorrow; mañana; demain; morgen; завтра; i
    never; i always; you never; you always; it always; it never; they always; they
    never; vielleicht; nicht immer; возможно; не всегда; можливо; не завжди; for now;
    this time; just this once; right now; for the moment; temporarily; por ahora; esta
    vez; de momento; temporalmente; pour l'instant; cette fois; pour le moment; vorerst;
    diesmal; im moment; пока; на этот раз; временно; наразі; цього разу; тимчасово; поки
    що
"""
"""Phrases of guesses, of reports and of what holds once, which make no rule."""
QUESTIONS = """
    yes; yep; yeah; sí; oui; ja; да; так; why; what; how; where; which; does; do you;
    don't you; didn't; is it; are you; can you; could you; would you; should; por qué;
    cómo; pourquoi; comment; warum; wieso; wie; почему; зачем; как; чому; навіщо; як
"""
"""Beginnings of questions, which are often typed without a question mark, and of
answers to questions of the agent.
"""
COURTESIES = """
    don't worry; don't forget; do not forget; don't hesitate; don't know; don't think;
    don't understand; don't see; don't remember; have to go; have to leave; never mind;
    nevermind; no te preocupes; no sé; no entiendo; ne t'inquiète pas; je ne sais pas;
    keine sorge; weiß nicht; не знаю; не понимаю; не розумію
"""
PREAMBLES = """
    let me; please answer; please clarify; please let me know; you're absolutely right!;
    empezaré; let's; i'll; i will; now let; now let's; now i; now i'll; now, let's; now,
    let me; next i'll; next, i'll; then i'll; i need to; i'm *ing; i want to; i plan to;
    planning *; considering *; perfect; great; excellent; good; sure; looking; first,; i
    can see; i see; would you like; do you want; you're right; got it; understood; model
    failed to call; model provided invalid; could not find file; cannot edit file*;
    cancelled; canceled; try this; run the following; here's; here is; here are; tool
    use:; read file:; aquí está; aquí tienes; entendido; voici; d'abord; hier ist; hier
    sind; вот; сначала; ось; спочатку; voy a; ahora; vamos a; déjame; perfecto; claro;
    je vais; ensuite, je; parfait; d'accord; ich werde; als nächstes; dann werde;
    perfekt; lass mich; затем я; потім я; сейчас; отлично; давайте; хорошо; зараз;
    чудово; actually, let me; but first, let me; pero primero; running these; running
    both; try *ing; entiendo.; ah, i understand; your approach makes sense; copilot has
    been; it looks like it's still; creo que hay; the * is running; the * is already
    running; you're absolutely right.; you're absolutely right to; i'm glad; thank you
    for the; that makes perfect sense; ah, i see; the string to replace; i apologize
    for; necesito *ar; necesito *er; entiendo, necesito; actually, wait
"""
"""Beginnings of sentences in which an agent announces its next step."""
OCCASIONS = """
    based on; given; now that; for now; if; since; to support; wait
"""
"""Beginnings of sentences that may announce a next step after a comma."""
MOVES = """
    let me; i'll; i need to; please let me know; just let me know
"""
"""Beginnings of clauses that announce a next step."""
PREFERENCES = """
    i prefer; we prefer; i'd prefer; i would prefer; my favourite; my favorite;
    my preferred; preference:; prefiero; preferimos; preferencia:; je préfère;
    nous préférons; ich bevorzuge; wir bevorzugen; я предпочитаю; я надаю перевагу
"""
"""Beginnings of preferences, before their subject."""
PERSONAL = """
    my name is; call me; i live in; i'm from; i am from; i'm based in; i am based in; my
    birthday is; my email is; my e-mail is; my phone is; my address is; my time zone is;
    my timezone is; my language is; my pronouns are; my role is; my job title is; me
    llamo; mi nombre es; vivo en; soy de; mi cumpleaños es; mi correo es; mi teléfono
    es; mi zona horaria es; mi idioma es; mi puesto es; je m'appelle; j'habite à; ich
    heiße; ich wohne in; меня зовут; я живу в; мене звати; я живу у
"""
"""Beginnings of sentences about the user."""
WORK = """
    i work at; i work for; we work for; i worked at; i worked for; i used to work at;
    i used to work for; trabajo en; trabajo para; trabajé en; trabajaba en;
    je travaille chez; ich arbeite bei; я работаю в; я працюю в
"""
"""Beginnings of sentences about employers."""
PEOPLE = """
    wife; husband; partner; son; daughter; brother; sister; mother; father; friend;
    boss; manager; colleague; coworker; mentor; teammate; neighbour; neighbor; esposa;
    marido; pareja; hija; hijo; hermana; hermano; madre; padre; amiga; amigo; jefa;
    jefe; compañera; compañero; vecina; vecino
"""
"""What a person is to the user."""
ENTITIES = """
    is our; is my; es nuestra; es nuestro; es mi; est notre; ist unser; ist unsere
"""
"""Phrases between a name and its role."""
ROLES = """
    our * is; our * * is; nuestra * es; nuestro * es; notre * est; unser* * ist
"""
"""Phrases before a name, with its role."""
GOALS = """
    todo:; to do:; my goal is to; our goal is to; my goal is; our goal is; goal:;
    pendiente:; por hacer:; mi objetivo es; nuestro objetivo es; objetivo:;
    mon objectif est de; mein ziel ist; моя цель; моя мета
"""
"""Beginnings of goals."""
DECIDED = """
    we decided; we've decided; we have decided; i decided; i've decided;
    i have decided; the team decided; we agreed; it was decided; decision:; milestone:;
    decidimos; hemos decidido; he decidido; decidí; acordamos; se decidió; decisión:;
    hito:; nous avons décidé; j'ai décidé; wir haben entschieden; wir haben beschlossen;
    мы решили; я решил; я решила; ми вирішили; я вирішив; я вирішила
"""
"""Beginnings of decisions and milestones, before their object."""
OBJECTS = """
    to; that; on; against; not; no; use; using; que; usar; de; d'utiliser; использовать
"""
"""Words between a decision and its object."""
LESSONS = """
    i learned; i've learned; i have learned; i learnt; we learned; we've learned;
    lesson learned:; lesson:; skill:; he aprendido; hemos aprendido; aprendí;
    aprendimos; lección:; habilidad:; j'ai appris; ich habe gelernt; я узнал; я узнала;
    я дізнався; я дізналася
"""
"""Beginnings of lessons."""
REMEMBER = """
    remember that; remember to; remember:; remember,; remember; don't forget that; don't
    forget to; do not forget to; keep in mind that; keep in mind; recuerda que;
    recuerda:; recuerda; recuerde que; no olvides que; no olvides; ten en cuenta que;
    n'oublie pas de; souviens-toi que; denk daran, dass; vergiss nicht; запомни, что;
    запомни; не забудь; запам'ятай, що; запам'ятай
"""
"""Beginnings of requests to remember something."""
QUESTION_WORDS = "when; how; the time; what; why; cuando; como; cuándo; cómo; me"
"""Words after `remember` that recall a past event."""
TROUBLES = """
    problem:; issue:; error:; bug:; symptom:; problema:; síntoma:; fallo:; problème:;
    fehler:; проблема:; помилка:
"""
"""Labels of problems."""
SOLUTIONS = """
    solution:; fix:; resolution:; workaround:; suggestion:; solución:; arreglo:;
    lösung:; решение:; рішення:
"""
"""Labels of solutions."""
