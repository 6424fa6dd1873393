import type { Texts } from './texts';

const MODERN_START = 'La carta queda ahí y no hace nada; se voltean cartas hasta que sale un número (S2).';

/** Las reglas en español. */
export const es: Texts = {
  sections: {
    D: 'Quién reparte y cómo',
    S: 'La carta inicial',
    T: 'Un turno',
    A: 'Cartas de acción y comodín',
    W: 'Comodín +4',
    F: 'Flitterific!',
    O: 'El verano de Olaf',
    H: 'Comodín Mezclar manos',
    C: 'Comodín personalizable',
    U: 'Decir «UNO»',
    G: 'Quedarse sin cartas',
    P: 'Puntos',
    X: 'Hablar en la mesa',
    House: 'Reglas de la casa',
  },
  rules: {
    D1: {
      title: 'Quién reparte',
      text: 'Antes de la primera ronda, cada uno toma una carta, y reparte quien muestra el número más alto. Una carta con un símbolo en lugar de un número no vale nada para esto.',
      rulings: [
        'Si varios muestran el mismo número más alto, solo ellos vuelven a probar, hasta que uno gane.',
        'Todas las cartas tomadas para esto vuelven al mazo antes de mezclarlo para repartir.',
        'La hoja moderna no dice cómo se elige a quien reparte; ahí se sortea el asiento.',
      ],
      differences: { modern: 'Nadie toma una carta para esto: el asiento de quien reparte se sortea.' },
    },
    D2: {
      title: 'El reparto',
      text: 'Pueden jugar de dos a diez personas. Cada una recibe siete cartas, salvo que la regla de la casa «Cartas repartidas» fije otro número. Lo que queda va boca abajo al centro y es el mazo.',
      rulings: [
        'Las cartas se reparten de una en una, y la primera es para el jugador a la izquierda de quien reparte.',
        'Solo una de las hojas dice cuántos pueden jugar; admitimos de dos a diez en todas las ediciones.',
      ],
    },
    D3: {
      title: 'Quién reparte después',
      text: 'En cada nueva ronda reparte el jugador a la izquierda del que repartió la última vez.',
      rulings: ['Las hojas no dicen quién reparte las rondas siguientes; que pase a la izquierda lo hemos elegido nosotros.'],
    },
    S1: {
      title: 'Un número como carta inicial',
      text: 'Tras el reparto se voltea la carta de arriba del mazo, que abre los descartes. Si es un número, juega primero quien está a la izquierda del que reparte, y se sigue hacia la izquierda.',
    },
    S2: {
      title: '+2 como carta inicial',
      text: 'Le toca al jugador a la izquierda de quien reparte, que roba dos cartas y se queda sin primer turno. Abre la ronda el que viene después.',
      rulings: ['En la edición moderna, las cartas volteadas en vano se quedan en los descartes, debajo del número que sale al final.'],
      differences: { modern: 'La carta queda ahí y no hace nada. Se voltean cartas hasta que sale un número, y entonces vale S1.' },
    },
    S3: {
      title: 'Cambio de sentido como carta inicial',
      text: 'Se juega hacia la derecha desde el principio, y el primer turno es de quien reparte.',
      differences: { modern: MODERN_START },
    },
    S4: {
      title: 'Salta como carta inicial',
      text: 'El jugador a la izquierda de quien reparte pierde el turno, así que abre la ronda el segundo por la izquierda.',
      differences: { modern: MODERN_START },
    },
    S5: {
      title: 'Un comodín como carta inicial',
      text: 'Si sale un Comodín, el jugador a la izquierda de quien reparte nombra un color y luego juega primero.',
      rulings: ['Las hojas no dicen qué más hace una carta así al empezar; que no haga nada más lo hemos elegido nosotros.'],
      differences: {
        fairies: 'Aquí, Flitterific! hace lo mismo y nada más.',
        frozen: 'Aquí, El verano de Olaf hace lo mismo y no se lleva otras cartas.',
        custom: 'Aquí, Comodín Mezclar manos y Comodín personalizable hacen lo mismo: no se mezclan manos ni se aplica ninguna regla personal.',
        modern: MODERN_START,
      },
    },
    S6: {
      title: 'Comodín +4 como carta inicial',
      text: 'Un Comodín +4 nunca abre los descartes. Vuelve al mazo y se voltea otra carta.',
      rulings: ['El mazo se mezcla otra vez antes de voltear la siguiente carta.'],
      differences: { modern: 'No vuelve al mazo. Queda ahí y no hace nada, y se voltean cartas hasta que sale un número (S2).' },
    },
    S7: {
      title: 'Nadie ha jugado la carta inicial',
      text: 'Un +2 volteado al principio no salió de ninguna mano. Por eso la regla de la casa «Acumular» no permite añadirle nada.',
      rulings: ['Las hojas no dicen si se puede responder a una carta inicial; que no se pueda lo hemos elegido nosotros.'],
      differences: {
        fairies: 'Flitterific! tampoco protege de él.',
        modern: 'Nunca ocurre, porque un +2 volteado al principio no hace nada (S2).',
      },
    },
    S8: {
      title: 'No hay carta inicial',
      text: 'Con manos muy grandes puede pasar que entre las cartas restantes no haya ninguna que pueda abrir los descartes. Entonces se recogen todas, se mezclan y se reparte de nuevo.',
      rulings: ['Las hojas no prevén que no se encuentre carta inicial; el nuevo reparto lo hemos elegido nosotros.'],
    },
    T1: {
      title: 'Jugar una carta',
      text: 'En tu turno puedes poner una carta en los descartes. Tiene que coincidir con la de arriba en color, número o símbolo; si arriba hay un comodín, vale el color que se nombró. Los comodines de todo tipo van sobre cualquier carta, aunque Comodín +4 tiene una condición (W2).',
    },
    T2: {
      title: 'Robar una carta',
      text: 'En vez de jugar puedes robar una carta, aunque hubieras podido jugar. Si la nueva carta encaja, puedes jugarla enseguida o guardarla, pero las que tenías antes se quedan en tu mano en este turno. Si no encaja, tu turno termina.',
      rulings: ['Si la carta no encaja, el juego sigue enseguida; así los demás notan si una carta que guardaste se habría podido jugar.'],
    },
    T3: {
      title: 'Las cartas de acción también tienen que encajar',
      text: '+2, Cambio de sentido y Salta no son una excepción a T1. Una carta así va sobre su propio color, también si lo pidió un comodín, o sobre una carta con el mismo símbolo.',
    },
    T4: {
      title: 'Cuando se acaba el mazo',
      text: 'Si alguien tiene que robar y el mazo se ha agotado, la carta de arriba de los descartes se queda, y todas las de debajo se mezclan y forman el nuevo mazo. Un comodín entre ellas olvida el color que se nombró.',
      rulings: [
        'Los descartes se mezclan solo cuando de verdad hace falta una carta, no en cuanto se agota el mazo.',
        'Si tampoco hay descartes que mezclar, robas lo que se encuentre, que puede ser nada.',
      ],
    },
    T5: {
      title: 'Una ronda bloqueada',
      text: 'Cuando ya nadie puede moverse, la ronda se detiene y no tiene ganador; P5 dice qué significa para los puntos. Eso pasa cuando todos los jugadores, uno tras otro por toda la mesa, han terminado su turno intentando robar sin encontrar nada. La cuenta empieza de nuevo si alguien juega una carta o roba al menos una carta en su propio turno. Las cartas que se roban por un +2 o un Comodín +4 no cambian nada.',
      rulings: ['Las hojas no prevén que nadie pueda moverse; terminar la ronda sin ganador, y la forma de contar hasta ahí, lo hemos elegido nosotros.'],
      differences: { fairies: 'Bloquear con Flitterific! también hace que la cuenta empiece de nuevo.' },
    },
    A1: {
      title: '+2',
      text: 'El jugador que va después de ti roba dos cartas y pierde el turno.',
      differences: { fairies: 'Ese jugador puede librarse con Flitterific! (F1).' },
    },
    A2: {
      title: 'Cambio de sentido',
      text: 'El juego da la vuelta: desde ahora va en el otro sentido. Si sois solo dos, no se nota, porque de todos modos le toca al otro. Lo habitual entre dos es que funcione como Salta; es la regla de la casa «Cambio de sentido con dos jugadores».',
      rulings: ['Las hojas no hablan de dos jugadores; sin la regla de la casa tomamos el cambio de sentido al pie de la letra.'],
    },
    A3: { title: 'Salta', text: 'El jugador que va después de ti se queda sin turno esta vez.' },
    A4: {
      title: 'Comodín',
      text: 'Nombras el color con el que hay que coincidir. Vale cualquier color, incluso el que ya estaba en vigor.',
      differences: { frozen: 'Los colores son rosa, amarillo, verde y azul.' },
    },
    W1: {
      title: 'Jugar un Comodín +4',
      text: 'Nombras el color con el que hay que coincidir. El jugador que va después de ti roba cuatro cartas y pierde el turno, o bien desafía tu jugada (W4).',
      differences: { fairies: 'Ese jugador también puede librarse con Flitterific! (F1).' },
    },
    W2: {
      title: 'Cuándo un Comodín +4 es honrado',
      text: 'La jugada es honrada si ninguna de tus otras cartas tiene el color que estaba en vigor hasta entonces. Un número o símbolo que encaje en otro color no lo impide, y un comodín tampoco. Cuenta tu mano en el momento de jugar; lo que recibas después no cambia nada.',
      rulings: [
        'En la edición moderna, un segundo Comodín +4 en tu mano también es un comodín y por eso cuenta como carta que encaja.',
        'Las hojas no dicen cuándo se juzga la mano; el momento de jugar lo hemos elegido nosotros.',
      ],
      differences: { modern: 'Cualquier comodín entre tus otras cartas cuenta como carta que encaja, así que la jugada solo es honrada si no tienes ni el color ni un comodín.' },
    },
    W3: {
      title: 'Hacer un farol',
      text: 'Nada te impide jugar un Comodín +4 cuando W2 dice que no debes. Es un farol, y sale bien si el siguiente jugador no se da cuenta y no lo desafía. Solo la regla de la casa «Sin faroles» lo hace imposible.',
    },
    W4: {
      title: 'Desafiar un Comodín +4',
      text: 'Si eres quien tiene que robar las cuatro cartas, puedes decir que no crees que la jugada fuera honrada; nadie más tiene ese derecho. El otro debe enseñarte entonces todas sus cartas, y solo tú las ves. Las reglas de la casa «Sin faroles» y «Sin desafíos» quitan los desafíos.',
      rulings: [
        'Tienes que decidirte antes de robar; después ya es tarde para desafiar.',
        'Ves la mano tal como era cuando se jugó el Comodín +4, sin las cartas robadas después.',
      ],
    },
    W5: {
      title: 'Un desafío que acierta',
      text: 'Si era un farol, quien lo hizo roba cuatro cartas y tú ninguna. Después te toca a ti.',
      rulings: ['Tras un desafío que acierta, tienes un turno normal.'],
    },
    W6: {
      title: 'Un desafío que falla',
      text: 'Si la jugada era honrada, la duda te cuesta dos cartas más que las cuatro. Robas seis y pierdes el turno.',
    },
    W7: {
      title: 'El color tras un desafío',
      text: 'Acabe como acabe el desafío, el color nombrado con el Comodín +4 sigue en vigor. La carta no se retira.',
      rulings: [
        'Solo la hoja moderna dice que el color sigue en vigor; nosotros jugamos así en todas las ediciones.',
        'Las hojas no dicen qué pasa con la carta tras un farol; nosotros la dejamos en los descartes.',
      ],
    },
    W8: {
      title: 'Comodín +4 como última carta',
      text: 'Si era la última carta de alguien, nadie puede desafiarla, porque sin otra carta en la mano no puede haber sido un farol. El siguiente roba como dice G2.',
      rulings: ['Las hojas no dicen si se puede desafiar una última carta; que no se pueda lo hemos elegido nosotros.'],
    },
    W9: {
      title: 'Un Comodín +4 recién robado',
      text: 'Si la carta que robas en tu turno es un Comodín +4, T2 te deja jugarla enseguida. Para saber si es honrado, mira todas tus otras cartas, como explica W2.',
    },
    F1: {
      title: 'Bloquear con Flitterific!',
      text: 'Cuando te alcanza un +2 o un Comodín +4 de alguien, puedes responder con Flitterific!. Entonces nadie roba, tú nombras el color con el que se sigue, y has gastado tu turno.',
      rulings: ['Como Flitterific! está en el mazo, el juego se detiene tras cada +2 y Comodín +4 y pregunta al jugador alcanzado, aunque no tenga Flitterific!, para que la pausa no delate nada.'],
    },
    F2: {
      title: 'Flitterific! en tu propio turno',
      text: 'Jugada en tu turno, funciona como un Comodín: va sobre cualquier carta, y nombras el color.',
    },
    F3: {
      title: 'Una sola respuesta',
      text: 'A cada ataque se responde una sola vez: tras un desafío ya no puedes bloquear. Si la Flitterific! con la que bloqueas es tu última carta, te has quedado sin cartas y ganas.',
      rulings: [
        'La hoja no dice si se puede bloquear tras un desafío; que no se pueda lo hemos elegido nosotros.',
        'La hoja no menciona el bloqueo con la última carta; que con él se gane lo hemos elegido nosotros.',
      ],
    },
    F4: {
      title: 'Bloquear la carta que termina la ronda',
      text: 'Incluso el +2 o el Comodín +4 con que alguien se queda sin cartas se puede bloquear. Te ahorras las cartas nuevas y te deshaces de una Flitterific!, que habría contado 50 puntos en tu contra. La ronda termina igualmente, y la gana quien se quedó primero sin cartas.',
      rulings: ['La hoja no dice si se puede bloquear la carta que termina la ronda; que se pueda, sin cambiar el ganador, lo hemos elegido nosotros.'],
    },
    O1: {
      title: 'Jugar El verano de Olaf',
      text: 'Es un comodín: va sobre cualquier carta, y nombras el color. Si quieres, sueltas con ella otras cartas de tu mano, tres como mucho, y solo rosas o solo amarillas; valen números y símbolos. Como esas cartas se tiran y no se juegan, puedes hacerlo también con una carta El verano de Olaf que acabas de robar.',
      rulings: ['La hoja no dice si una carta El verano de Olaf que acabas de robar puede llevarse cartas; que pueda lo hemos elegido nosotros.'],
    },
    O2: {
      title: 'Qué hacen los descartes de más',
      text: 'Nada: se deslizan debajo de El verano de Olaf, y lo que llevan impreso no ocurre. Arriba queda El verano de Olaf, con el color que nombraste.',
      rulings: ['La hoja no dice adónde van esas cartas ni si actúan; que vayan debajo y no hagan nada lo hemos elegido nosotros.'],
    },
    O3: {
      title: 'Pocas cartas tras El verano de Olaf',
      text: 'Si tras los descartes de más no te quedan cartas, has ganado la ronda. Si te queda una, tienes que decir «UNO», como dice U1.',
    },
    H1: {
      title: 'Mezclar todas las manos',
      text: 'Todos entregan su mano entera. Esas cartas se mezclan y se reparten de nuevo, de una en una, hasta la última, así que puedes acabar con una mano mayor o menor. Recibe primero el jugador a la izquierda de quien jugó el Comodín Mezclar manos, y se reparte hacia la izquierda aunque se juegue hacia la derecha.',
    },
    H2: {
      title: 'El color tras la mezcla',
      text: 'Después, quien jugó la carta nombra el color. El sentido del juego sigue como estaba.',
      rulings: ['El color se nombra tras ver la mano nueva, porque la hoja habla primero de la mezcla.'],
    },
    H3: {
      title: 'Comodín Mezclar manos y el final de la ronda',
      text: 'Si es tu última carta, has ganado la ronda y no se mezcla ninguna mano. Quien recibe una sola carta en la mezcla no tiene que decir «UNO».',
      rulings: [
        'La hoja no dice qué pasa cuando es la última carta; nosotros dejamos que termine la ronda.',
        'La hoja no dice si una sola carta recibida en la mezcla obliga a decir «UNO»; decimos que no.',
      ],
    },
    C1: {
      title: 'Una carta con vuestra propia regla',
      text: 'Cada Comodín personalizable es un comodín que puede llevar una regla vuestra; todos tienen que aceptarla antes de empezar. Las tres cartas pueden tener tres reglas distintas. Una carta sin regla es simplemente un Comodín.',
    },
    C2: {
      title: 'Qué puede hacer vuestra regla',
      text: 'Dadle a la regla un título y un texto, y elegid los efectos que el juego debe cumplir: robar, descartar, otro turno, manos abiertas, un chiste que juzgan los demás, un reto y demás. Las diez ideas de la hoja están listas, también las tontas, y podéis combinar muchas más. Si no elegís efectos, el juego muestra título y texto y confía en que hagáis lo que dicen.',
    },
    C3: {
      title: 'Cuándo actúa vuestra regla',
      text: 'Nombras el color al jugar la carta. Después se cumplen sus efectos, del primero al último.',
      rulings: ['Si es tu última carta, has ganado la ronda y los efectos no se cumplen.'],
    },
    C4: {
      title: 'Quién actúa primero',
      text: 'Si un efecto afecta a varios jugadores, empieza el que va después de quien jugó la carta, y siguen los demás en el sentido del juego; quien la jugó va el último. Quien tiene que descartar elige él mismo las cartas.',
      rulings: ['La hoja deja abierto quién actúa primero y quién elige los descartes; este orden, y que cada uno elija, lo hemos decidido nosotros.'],
    },
    C5: {
      title: 'Cuando un efecto vacía una mano',
      text: 'Si un efecto quita a alguien su última carta, aún se cumple para todos a los que afecta. De los que entonces no tienen cartas, el primero en el orden de C4 gana la ronda. Los demás efectos de la carta no se cumplen. Así, quien solo tiene comodines gana cuando una carta hace descartar todos los comodines.',
      rulings: ['La hoja no dice qué pasa cuando un efecto vacía una mano; completarlo y dar la ronda al primero lo hemos elegido nosotros.'],
    },
    U1: {
      title: 'Decir «UNO»',
      text: 'Cuando te quedas con una sola carta, al jugar o al descartar por el efecto de una carta, tienes que decir «UNO». Puedes hacerlo junto con tu jugada, o después si nadie te pilló antes. Mientras tanto estás expuesto: te pueden pillar.',
      rulings: ['Si llegas a una sola carta de otro modo, porque te la repartieron, cambiaron o pasaron, no tienes que decirlo.'],
    },
    U2: {
      title: 'Pillar a alguien',
      text: 'Cualquier otro puede pillarte mientras estás expuesto. El tiempo para ello empieza cuando tu carta está en los descartes y acaba cuando el siguiente jugador empieza su turno. Si te pillan, robas dos cartas, o las que diga la regla de la casa «Castigo por olvidar UNO».',
    },
    U3: {
      title: 'Cuándo empieza un turno',
      text: 'Empiezas tu turno al robar del mazo o al sacar una carta de tu mano para jugarla; desde entonces no se puede pillar a nadie que estuviera expuesto antes. Si estás expuesto y además te toca a ti, por ejemplo tras un Salta entre dos, tu propia jugada o tu robo le pone fin.',
      rulings: [
        'No empiezas un turno al robar por obligación perdiendo el turno, al desafiar ni al nombrar un color.',
        'No empiezas un turno al descartar, votar o responder a un reto por el efecto de una carta.',
        'Sí empiezas un turno al colarte o al acumular una carta.',
        'Sí empiezas un turno al bloquear con Flitterific!.',
        'Solo la hoja original explica qué es empezar un turno; lo seguimos en todas las ediciones.',
      ],
    },
    U4: {
      title: 'Cuándo vuelves a estar a salvo',
      text: 'En cuanto lo dices, dejas de estar expuesto. Lo mismo vale cuando ya te han pillado, aunque no quedara carta que robar, y siempre que dejes de tener exactamente una carta.',
    },
    U5: {
      title: 'Avisos sin motivo',
      text: 'El juego no acepta que pilles a quien no está expuesto, ni un «UNO» si no tienes nada que decir. Te lo dice y ya está: sin castigo.',
      rulings: ['Las hojas no mencionan los avisos equivocados; rechazarlos sin castigo lo hemos elegido nosotros.'],
    },
    G1: {
      title: 'El final de una ronda',
      text: 'La ronda termina cuando alguien se queda sin cartas. Ese jugador la gana.',
    },
    G2: {
      title: 'Terminar con +2 o Comodín +4',
      text: 'El jugador que va después del ganador aún roba las dos o cuatro cartas. Forman parte de su mano al contar los puntos.',
      rulings: ['La hoja moderna no lo menciona; también ahí lo jugamos así.'],
      differences: { fairies: 'Ese jugador puede librarse con Flitterific! (F4).' },
    },
    P1: {
      title: 'Qué valen las cartas',
      text: 'Un número vale los puntos que muestra. Cada +2, Cambio de sentido o Salta vale 20 puntos. Cada Comodín o Comodín +4 vale 50.',
      rulings: [
        'En nuestra copia de la hoja de las hadas no se ve cuánto vale +2; contamos 20.',
        'En nuestra copia de la hoja moderna falta el número de +2, Cambio de sentido y Salta; contamos 20.',
      ],
      differences: {
        fairies: 'Cada Flitterific! vale 50 puntos.',
        frozen: 'Cada carta El verano de Olaf vale 50 puntos.',
        custom: 'Cada Comodín Mezclar manos o Comodín personalizable vale 40 puntos.',
      },
    },
    P2: {
      title: 'El primero que llega a 500',
      text: 'Así se cuenta normalmente. Quien gana una ronda recibe puntos por cada carta que aún tienen los demás. Gana la partida el primero que tiene 500 puntos o más. Una mesa puede acordar otra meta.',
      differences: { modern: 'Aquí es opcional: si la mesa no lo elige, decide una ronda (P4).' },
    },
    P3: {
      title: 'El total más bajo',
      text: 'Una mesa puede elegirlo en lugar de P2. Tras cada ronda, cada uno suma las cartas de su mano a su propio total. En cuanto alguien tiene 500 puntos o más, la partida termina, y gana el total más bajo. Una mesa puede acordar otra meta.',
      rulings: ['Si varios comparten el total más bajo, ganan todos ellos.'],
      differences: { modern: 'La hoja no tiene esta forma de contar, pero una mesa puede elegirla igualmente.' },
    },
    P4: {
      title: 'Una sola ronda',
      text: 'Una mesa puede elegir jugar una sola ronda. Quien se queda sin cartas gana la partida, y nadie recibe puntos.',
      differences: { modern: 'Aquí se juega así normalmente, si la mesa no elige otra cosa.' },
    },
    P5: {
      title: 'Puntos de una ronda bloqueada',
      text: 'Lo que pasa tras una ronda bloqueada (T5) depende de la puntuación. Con P2, nadie recibe puntos. Con P3, cada uno suma su mano a su total. Con P4, esa ronda no tiene ganador y se reparte otra, con el siguiente en repartir (D3).',
      rulings: ['Las hojas no conocen rondas bloqueadas, así que toda esta puntuación la hemos elegido nosotros.'],
    },
    X1: {
      title: 'Decir a otros qué jugar',
      text: 'Quien le dice a otro qué jugar roba cuatro cartas. El motor deja la decisión a un árbitro; en una mesa en línea alguien acusa al jugador, el resto de las personas vota (los bots no), y hace falta mayoría. Puede pasar en cualquier momento hasta que acabe la ronda, pero nunca a quien ya se quedó sin cartas. Si el jugador está descartando por el efecto de una carta, tiene que descartar otras tantas. Otras ediciones pueden tener esta regla con «Castigo por sugerir».',
    },
    reverse_skips_with_two: {
      title: 'Cambio de sentido con dos jugadores',
      text: 'Cuando solo juegan dos, un Cambio de sentido funciona como Salta: vuelve a ser tu turno, y el sentido no cambia. Si es la carta inicial, abre la ronda quien reparte, y el sentido tampoco cambia.',
      differences: { modern: 'Como carta inicial, un Cambio de sentido no hace nada, como siempre aquí (S3).' },
    },
    stacking: {
      title: 'Responder a una carta de robar con otra',
      text: 'Con «Mismo tipo» puedes poner un +2 sobre un +2 que te alcanza, o un Comodín +4 sobre otro; con «Cualquier tipo» puedes combinarlos, pero un +2 sobre un Comodín +4 necesita el color nombrado; «No» es el juego normal. Las cartas se suman, y el primero que no responde las roba todas y pierde el turno. Si respondes con un Comodín +4, W2 decide como siempre si es honrado: una carta del color en vigor lo convierte en farol, aunque no hubiera servido para responder. Se puede desafiar si lo último jugado fue un Comodín +4, y solo por esa carta: quien hizo el farol roba toda la suma; quien desafió sin razón, la suma y dos más. A la carta que termina la ronda no se puede responder así, de modo que el siguiente jugador roba toda la suma.',
      differences: { fairies: 'Una Flitterific! bloquea toda la suma, incluso si la última carta terminó la ronda (F4).' },
    },
    seven_zero: {
      title: 'Los sietes cambian, los ceros rotan',
      text: 'Si juegas un 7, eliges a un jugador y os cambiáis las manos. Si juegas un 0, todos pasan su mano al siguiente en el sentido del juego. Si el 7 o el 0 es tu última carta, has ganado la ronda y las manos se quedan donde están. No tienes que decir «UNO» por una mano que recibes, y a quien ha entregado una mano no se le puede pillar por ella. Si tu jugada te dejó con una carta antes del cambio, puedes decir «UNO» con esa jugada.',
    },
    jump_in: {
      title: 'Colarse',
      text: 'Si tienes una carta con exactamente el mismo color y el mismo número o símbolo que la de arriba, puedes jugarla aunque no sea tu turno; los comodines quedan fuera. Solo vale antes de que quien tiene el turno haya jugado o robado, y no mientras alguien tiene algo que decidir. El juego sigue desde tu asiento como si hubiera sido tu turno, y ya no se puede pillar a quien debía un «UNO» (U3). También puedes colarte sobre una carta tuya.',
    },
    draw_to_match: {
      title: 'Robar hasta que una carta encaje',
      text: 'Si robas, aunque tengas una carta que encaje, sigues robando hasta que sale una carta que puedes jugar, o hasta que no quedan cartas. Un Comodín +4 termina la búsqueda aunque fuera un farol, salvo con «Sin faroles». De todas tus cartas, en ese turno solo puedes jugar esta última; también puedes guardarla.',
    },
    force_play: {
      title: 'Quien puede jugar, debe',
      text: 'Si tienes una carta que puedes jugar, no puedes robar. Si puedes jugar la carta que robas, no puedes guardarla. A estos efectos, un Comodín +4 se puede jugar solo si es honrado (W2). Nunca tienes que acumular ni bloquear.',
    },
    no_bluffing: {
      title: 'Sin faroles',
      text: 'El juego rechaza un Comodín +4 que no sea honrado (W2), también como respuesta al acumular. Como no queda nada que dudar, no hay desafíos. No se puede combinar con «Sin desafíos».',
      rulings: ['En la edición moderna, otros Comodines +4 en tu mano no cuentan aquí como carta que encaja: si no, dos de ellos nunca se podrían jugar.'],
    },
    no_challenges: {
      title: 'Sin desafíos',
      text: 'Puedes jugar un Comodín +4 tengas lo que tengas, y nadie puede desafiarlo. No se puede combinar con «Sin faroles».',
    },
    hand_size: {
      title: 'Cartas para cada jugador',
      text: 'Podéis repartir de 1 a 20 cartas a cada uno; lo normal son 7. El mazo tiene que alcanzar para todas las manos y una carta inicial.',
    },
    uno_penalty: {
      title: 'Cartas por un «UNO» olvidado',
      text: 'Si te pillan, robas ese número de cartas, de 0 a 20; lo normal son 2 (U2). Con 0 nunca está nadie expuesto, así que no se puede pillar a nadie.',
    },
    suggestion_penalty: {
      title: 'Cartas por decir a otros qué jugar',
      text: 'Quien le dice a otro qué jugar roba ese número de cartas, de 0 a 20 (X1). Con 0 la regla no vale, que es lo normal en todas las ediciones menos la original, donde son 4.',
    },
  },
  editions: {
    original: {
      summary: 'El juego clásico, con 108 cartas en rojo, amarillo, verde y azul. Una partida dura varias rondas, hasta que alguien tiene 500 puntos.',
      special: [
        'No tiene cartas especiales aparte de las que comparten todas las ediciones.',
        'Decirle a otro qué jugar cuesta cuatro cartas [X1].',
        'Su hoja es la única que explica cuándo empieza un turno; la seguimos en todas las ediciones [U3].',
      ],
    },
    fairies: {
      summary: 'El mazo clásico más cuatro Flitterific!, comodines que te protegen de robar: 112 cartas en rojo, amarillo, verde y azul. Una partida dura varias rondas, hasta que alguien tiene 500 puntos.',
      special: [
        'Flitterific! bloquea un +2 o un Comodín +4, y por lo demás funciona como un Comodín [F1, F2].',
        'Tras cada +2 y Comodín +4, el juego espera una respuesta [F1].',
        'Un desafío y un bloqueo se excluyen [F3].',
        'Incluso la carta de robar que termina una ronda se puede bloquear [F4].',
        'Una Flitterific! que queda en una mano vale 50 puntos [P1].',
        'Como carta inicial solo deja que un jugador nombre el color [S5], y no protege de un +2 inicial [S7].',
      ],
    },
    frozen: {
      summary: 'El mazo clásico en rosa, amarillo, verde y azul, más cuatro El verano de Olaf, comodines que pueden llevarse otras cartas: 112 cartas. Una partida dura varias rondas, hasta que alguien tiene 500 puntos.',
      special: [
        'El rosa ocupa el lugar del rojo [A4].',
        'Con El verano de Olaf puedes deshacerte de hasta tres cartas rosas o tres amarillas [O1].',
        'Las cartas así descartadas no tienen efecto [O2], pero pueden dejarte con una carta o con ninguna [O3].',
        'El verano de Olaf que queda en una mano vale 50 puntos [P1].',
        'Como carta inicial solo deja que un jugador nombre el color [S5].',
      ],
    },
    custom: {
      summary: 'El mazo clásico más un Comodín Mezclar manos y hasta tres Comodines personalizables que llevan vuestras reglas: 112 cartas con todos ellos, en rojo, amarillo, verde y azul. Una partida dura varias rondas, hasta que alguien tiene 500 puntos.',
      special: [
        'El Comodín Mezclar manos mezcla las manos de todos y las reparte de nuevo [H1]; su color se nombra después [H2].',
        'Los Comodines personalizables hacen lo que vuestra mesa ha acordado [C1, C2].',
        'Elegís antes cuántos Comodines personalizables entran; el mazo tiene entonces de 109 a 112 cartas [C1].',
        'Un efecto puede quitarle a un jugador su última carta; ese jugador gana la ronda [C5].',
        'Un Comodín Mezclar manos o personalizable que queda en una mano vale 40 puntos [P1].',
        'Como carta inicial solo dejan que un jugador nombre el color [S5].',
      ],
      rulings: ['La mesa puede jugar también sin ningún Comodín personalizable.'],
    },
    modern: {
      summary: 'El juego corto de hoy, con 112 cartas en rojo, amarillo, verde y azul. Decide una ronda, y contar puntos es opcional.',
      special: [
        'Quien reparte se sortea [D1].',
        'Una carta inicial que no es un número no hace nada: se voltean cartas hasta que sale un número [S2, S3, S4, S5, S6].',
        'Para que un Comodín +4 sea honrado, la mano tampoco puede tener comodines de ningún tipo [W2].',
        'La propia hoja dice que el color sigue en vigor tras un desafío [W7].',
        'Quien se queda sin cartas ha ganado [P4]; se puede jugar a 500 puntos [P2], pero la hoja no conoce el total más bajo [P3].',
        'Su mazo tiene dos ceros de cada color; las demás ediciones tienen uno.',
      ],
      rulings: ['La hoja habla de 112 cartas pero describe solo los tipos que forman las 108 habituales; tomamos las otras cuatro por un segundo 0 de cada color.'],
    },
  },
  starters: [
    { title: 'Sigue cavando', text: 'El siguiente jugador roba hasta que sale una carta del color que nombraste.' },
    { title: 'Domar la mesa', text: 'Todos los demás tiran cada comodín que tengan.' },
    { title: 'Si no puedes, tres', text: 'Si el siguiente jugador no puede jugar nada, roba tres cartas en vez de una.' },
    { title: 'Otra vez', text: 'Vuelves a jugar enseguida.' },
    { title: 'De vuelta a siete', text: 'El siguiente jugador roba o descarta hasta tener siete cartas.' },
    { title: 'Tres para todos', text: 'Cada mano pasa a tener tres cartas, robando o descartando.' },
    { title: 'Cartas sobre la mesa', text: 'Todas las manos quedan abiertas hasta que vuelva a ser tu turno.' },
    {
      title: 'A escena',
      text: 'Si haces reír a la mesa, te quedas con una sola carta; si no, robas cuatro.',
      texts: ['Cuenta a la mesa tu mejor chiste. ¿Se rio alguien?'],
    },
    {
      title: 'Brazos tiesos',
      text: 'El siguiente jugador mantiene los codos estirados hasta que alguien diga UNO.',
      texts: ['Codos estirados hasta que alguien diga UNO'],
    },
    {
      title: 'Quiquiriquí',
      text: 'El siguiente jugador canta como un gallo, o se echa atrás y roba cuatro.',
      texts: ['Canta como un gallo, lo mejor que puedas'],
    },
  ],
};
