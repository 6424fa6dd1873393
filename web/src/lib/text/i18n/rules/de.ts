import type { Texts } from './texts';

const MODERN_START =
  'Die Karte liegt da und bewirkt nichts; es wird weiter aufgedeckt, bis eine Zahl kommt (S2).';

/** Die Regeln auf Deutsch. */
export const de: Texts = {
  sections: {
    D: 'Geber und Austeilen',
    S: 'Die Startkarte',
    T: 'Ein Zug',
    A: 'Aktionskarten und Farbwahl',
    W: 'Farbwahl +4',
    F: 'Flitterific!',
    O: 'Olafs Sommerzeit',
    H: 'Farbwahl Hände mischen',
    C: 'Eigene Karten',
    U: '„UNO“ rufen',
    G: 'Ausmachen',
    P: 'Punkte',
    X: 'Gespräche am Tisch',
    House: 'Hausregeln',
  },
  rules: {
    D1: {
      title: 'Wer gibt',
      text: 'Vor der allerersten Runde nimmt jeder eine Karte, und wer die höchste Zahl zeigt, wird Geber. Eine Karte mit einem Zeichen statt einer Zahl ist dabei nichts wert.',
      rulings: [
        'Zeigen mehrere dieselbe höchste Zahl, versuchen es nur diese noch einmal, bis einer vorn liegt.',
        'Alle dafür genommenen Karten kommen zurück, bevor zum Austeilen gemischt wird.',
        'Das moderne Regelblatt sagt nicht, wie der Geber gefunden wird; dort entscheidet der Zufall über den Platz.',
      ],
      differences: { modern: 'Niemand nimmt dafür eine Karte: Der Zufall bestimmt den Platz des Gebers.' },
    },
    D2: {
      title: 'Das Austeilen',
      text: 'Zwei bis zehn Leute können spielen. Jeder bekommt sieben Karten, wenn nicht die Hausregel „Ausgeteilte Karten“ eine andere Zahl vorgibt. Der Rest liegt verdeckt in der Mitte und ist der Ziehstapel.',
      rulings: [
        'Die Karten werden einzeln ausgeteilt, und die erste bekommt der Spieler links vom Geber.',
        'Nur eines der Regelblätter sagt, wie viele spielen können; wir lassen in jeder Ausgabe zwei bis zehn zu.',
      ],
    },
    D3: {
      title: 'Der nächste Geber',
      text: 'In jeder neuen Runde gibt der Spieler links vom letzten Geber.',
      rulings: ['Die Regelblätter sagen nicht, wer die späteren Runden gibt; dass es nach links weitergeht, haben wir gewählt.'],
    },
    S1: {
      title: 'Eine Zahl als Startkarte',
      text: 'Nach dem Austeilen wird die oberste Karte des Ziehstapels aufgedeckt und eröffnet den Ablagestapel. Ist sie eine Zahl, hat der Spieler links vom Geber den ersten Zug, und es geht nach links weiter.',
    },
    S2: {
      title: '+2 als Startkarte',
      text: 'Sie trifft den Spieler links vom Geber: Er zieht zwei Karten und bekommt keinen ersten Zug. Der Spieler nach ihm eröffnet die Runde.',
      rulings: ['In der modernen Ausgabe bleiben die vergeblich aufgedeckten Karten im Ablagestapel, unter der Zahl, die schließlich kommt.'],
      differences: {
        modern: 'Die Karte liegt da und bewirkt nichts. Es wird weiter aufgedeckt, bis eine Zahl kommt, und dann gilt S1.',
      },
    },
    S3: {
      title: 'Richtungswechsel als Startkarte',
      text: 'Es geht von Anfang an nach rechts, und der Geber hat den ersten Zug.',
      differences: { modern: MODERN_START },
    },
    S4: {
      title: 'Aussetzen als Startkarte',
      text: 'Der Spieler links vom Geber wird übergangen, also eröffnet der zweite Spieler zur Linken die Runde.',
      differences: { modern: MODERN_START },
    },
    S5: {
      title: 'Eine Farbwahlkarte als Startkarte',
      text: 'Wird Farbwahl aufgedeckt, nennt der Spieler links vom Geber eine Farbe und hat dann den ersten Zug.',
      rulings: ['Die Regelblätter sagen nicht, was eine solche Karte am Anfang sonst noch bewirkt; dass sie nichts weiter bewirkt, haben wir gewählt.'],
      differences: {
        fairies: 'Flitterific! bewirkt hier dasselbe und nichts weiter.',
        frozen: 'Olafs Sommerzeit bewirkt hier dasselbe und nimmt keine Karten mit.',
        custom: 'Farbwahl Hände mischen und Eigene Karten bewirken hier dasselbe: Keine Hände werden gemischt, und keine eigene Regel wirkt.',
        modern: MODERN_START,
      },
    },
    S6: {
      title: 'Farbwahl +4 als Startkarte',
      text: 'Farbwahl +4 eröffnet nie den Ablagestapel. Sie kommt zurück in den Ziehstapel, und eine andere Karte wird aufgedeckt.',
      rulings: ['Der Ziehstapel wird noch einmal gemischt, bevor die nächste Karte aufgedeckt wird.'],
      differences: {
        modern: 'Sie kommt nicht zurück. Sie liegt da und bewirkt nichts, und es wird weiter aufgedeckt, bis eine Zahl kommt (S2).',
      },
    },
    S7: {
      title: 'Niemand hat die Startkarte gespielt',
      text: 'Eine aufgedeckte +2 kam aus keiner Hand. Darum darf auch mit der Hausregel „Stapeln“ niemand etwas darauflegen.',
      rulings: ['Die Regelblätter sagen nicht, ob man auf eine Startkarte antworten kann; dass man es nicht kann, haben wir gewählt.'],
      differences: {
        fairies: 'Auch Flitterific! schützt nicht vor ihr.',
        modern: 'Das kommt nie vor, weil eine zu Beginn aufgedeckte +2 nichts bewirkt (S2).',
      },
    },
    S8: {
      title: 'Keine Startkarte zu finden',
      text: 'Bei sehr großen Händen kann es sein, dass unter den übrigen Karten keine ist, die den Ablagestapel eröffnen darf. Dann werden alle Karten eingesammelt, gemischt und neu ausgeteilt.',
      rulings: ['Die Regelblätter rechnen nicht damit, dass sich keine Startkarte findet; das neue Austeilen haben wir gewählt.'],
    },
    T1: {
      title: 'Eine Karte spielen',
      text: 'Wenn du dran bist, darfst du eine Karte auf den Ablagestapel legen. Sie muss in Farbe, Zahl oder Zeichen zur obersten Karte passen; liegt dort eine Farbwahlkarte, zählt die Farbe, die dazu genannt wurde. Farbwahlkarten aller Art passen auf jede Karte, nur hat Farbwahl +4 eine Bedingung (W2).',
    },
    T2: {
      title: 'Eine Karte ziehen',
      text: 'Statt zu spielen darfst du eine Karte ziehen, auch wenn du hättest spielen können. Passt die neue Karte, kannst du sie gleich spielen oder behalten; die Karten, die du vorher hattest, bleiben in diesem Zug in der Hand. Passt sie nicht, ist dein Zug vorbei.',
      rulings: ['Passt die Karte nicht, geht es sofort weiter; die anderen merken also, ob eine Karte, die du behältst, gepasst hätte.'],
    },
    T3: {
      title: 'Auch Aktionskarten müssen passen',
      text: '+2, Richtungswechsel und Aussetzen machen bei T1 keine Ausnahme. So eine Karte passt auf ihre eigene Farbe, auch wenn eine Farbwahl sie gewünscht hat, oder auf eine Karte mit demselben Zeichen.',
    },
    T4: {
      title: 'Wenn der Ziehstapel leer ist',
      text: 'Muss jemand ziehen und ist der Ziehstapel aufgebraucht, bleibt die oberste Ablage liegen, und alles darunter wird gemischt und ist der neue Ziehstapel. Eine Farbwahlkarte darin vergisst die Farbe, die für sie genannt wurde.',
      rulings: [
        'Die Ablage wird erst gemischt, wenn wirklich eine Karte gebraucht wird, nicht schon, wenn der Ziehstapel leer ist.',
        'Gibt es auch in der Ablage nichts zu mischen, ziehst du, was zu finden ist, und das kann gar nichts sein.',
      ],
    },
    T5: {
      title: 'Eine festgefahrene Runde',
      text: 'Wenn sich niemand mehr rühren kann, endet die Runde ohne Sieger; P5 sagt, was das für die Wertung heißt. So weit ist es, wenn alle Spieler einer nach dem anderen reihum ihren Zug damit beendet haben, dass sie ziehen wollten und nichts fanden. Die Zählung beginnt von vorn, wenn jemand eine Karte spielt oder im eigenen Zug mindestens eine Karte zieht. Karten, die jemand wegen +2 oder Farbwahl +4 nimmt, ändern daran nichts.',
      rulings: ['Die Regelblätter rechnen nicht damit, dass sich niemand rühren kann; das Ende ohne Sieger und die Zählung bis dahin haben wir gewählt.'],
      differences: { fairies: 'Auch wer mit Flitterific! abwehrt, lässt die Zählung von vorn beginnen.' },
    },
    A1: {
      title: '+2',
      text: 'Der Spieler nach dir zieht zwei Karten und setzt aus.',
      differences: { fairies: 'Dieser Spieler kann sich mit Flitterific! retten (F1).' },
    },
    A2: {
      title: 'Richtungswechsel',
      text: 'Es geht andersherum weiter. Seid ihr nur zu zweit, merkt man davon nichts, denn der andere ist so oder so dran. Üblich ist zu zweit, dass Richtungswechsel wie Aussetzen wirkt; das ist die Hausregel „Richtungswechsel zu zweit“.',
      rulings: ['Die Regelblätter sagen nichts über zwei Spieler; ohne die Hausregel nehmen wir den Richtungswechsel wörtlich.'],
    },
    A3: { title: 'Aussetzen', text: 'Der Spieler nach dir wird übergangen und ist diesmal nicht dran.' },
    A4: {
      title: 'Farbwahl',
      text: 'Du nennst die Farbe, die als Nächstes passen muss. Jede Farbe ist erlaubt, auch die, die schon galt.',
      differences: { frozen: 'Die Farben sind Rosa, Gelb, Grün und Blau.' },
    },
    W1: {
      title: 'Farbwahl +4 spielen',
      text: 'Du nennst die Farbe, die als Nächstes passen muss. Der Spieler nach dir zieht vier Karten und setzt aus, oder er zweifelt deine Karte an (W4).',
      differences: { fairies: 'Dieser Spieler kann sich auch mit Flitterific! retten (F1).' },
    },
    W2: {
      title: 'Wann Farbwahl +4 ehrlich ist',
      text: 'Ehrlich ist es, wenn keine deiner anderen Karten die Farbe hat, die bis dahin galt. Eine passende Zahl oder ein passendes Zeichen in einer anderen Farbe steht dem nicht im Weg, eine Farbwahlkarte auch nicht. Es zählt deine Hand in dem Moment, in dem du spielst; was du danach bekommst, ändert nichts.',
      rulings: [
        'In der modernen Ausgabe ist eine zweite Farbwahl +4 in deiner Hand auch eine Farbwahlkarte und zählt also als passend.',
        'Die Regelblätter sagen nicht, wann die Hand beurteilt wird; den Moment des Spielens haben wir gewählt.',
      ],
      differences: {
        modern: 'Jede Farbwahlkarte unter deinen anderen Karten zählt als passend; ehrlich ist es also nur, wenn du weder die Farbe noch eine Farbwahlkarte hast.',
      },
    },
    W3: {
      title: 'Bluffen',
      text: 'Nichts hindert dich, Farbwahl +4 zu spielen, wenn W2 dagegen spricht. Das ist ein Bluff, und er gelingt, wenn der nächste Spieler ihn nicht durchschaut und anzweifelt. Nur die Hausregel „Kein Bluffen“ macht das unmöglich.',
    },
    W4: {
      title: 'Farbwahl +4 anzweifeln',
      text: 'Wenn du die vier Karten nehmen müsstest, darfst du sagen, dass du nicht an eine ehrliche Karte glaubst; sonst darf das niemand. Der andere muss dir dann alle seine Karten zeigen, und nur du siehst sie. Mit den Hausregeln „Kein Bluffen“ und „Kein Anzweifeln“ gibt es das nicht.',
      rulings: [
        'Du musst dich entscheiden, bevor du ziehst; danach ist es zum Anzweifeln zu spät.',
        'Du siehst die Hand, wie sie war, als Farbwahl +4 gespielt wurde, ohne seither gezogene Karten.',
      ],
    },
    W5: {
      title: 'Zu Recht angezweifelt',
      text: 'War es ein Bluff, zieht der andere vier Karten, und du ziehst keine. Dann bist du dran.',
      rulings: ['Hast du zu Recht angezweifelt, folgt dein gewöhnlicher Zug.'],
    },
    W6: {
      title: 'Zu Unrecht angezweifelt',
      text: 'War es ehrlich, kostet dich der Zweifel zwei Karten mehr als die vier. Du ziehst sechs und setzt aus.',
    },
    W7: {
      title: 'Die Farbe nach dem Anzweifeln',
      text: 'Wie es auch ausgeht: Die Farbe, die zu Farbwahl +4 genannt wurde, gilt weiter. Die Karte wird nicht zurückgenommen.',
      rulings: [
        'Nur das moderne Regelblatt sagt, dass die Farbe weiter gilt; wir spielen in jeder Ausgabe so.',
        'Die Regelblätter sagen nicht, was nach einem Bluff mit der Karte geschieht; bei uns bleibt sie auf dem Ablagestapel.',
      ],
    },
    W8: {
      title: 'Farbwahl +4 als letzte Karte',
      text: 'War Farbwahl +4 jemandes letzte Karte, kann niemand sie anzweifeln, denn ohne andere Karte auf der Hand kann sie kein Bluff gewesen sein. Der nächste Spieler zieht, wie G2 sagt.',
      rulings: ['Die Regelblätter sagen nicht, ob man eine letzte Karte anzweifeln kann; dass es nicht geht, haben wir gewählt.'],
    },
    W9: {
      title: 'Farbwahl +4 frisch gezogen',
      text: 'Ziehst du in deinem Zug eine Farbwahl +4, darfst du sie nach T2 gleich spielen. Ob das ehrlich ist, entscheiden alle deine anderen Karten, wie in W2.',
    },
    F1: {
      title: 'Mit Flitterific! abwehren',
      text: 'Trifft dich jemandes +2 oder Farbwahl +4, kannst du mit Flitterific! antworten. Dann zieht niemand, du nennst die Farbe, mit der es weitergeht, und dein Zug ist verbraucht.',
      rulings: ['Weil Flitterific! im Spiel ist, hält das Spiel nach jeder +2 und Farbwahl +4 an und fragt den Getroffenen, auch wenn er kein Flitterific! hat; so verrät die Pause nichts.'],
    },
    F2: {
      title: 'Flitterific! im eigenen Zug',
      text: 'Im eigenen Zug gespielt wirkt es wie Farbwahl: Es passt auf jede Karte, und du nennst die Farbe.',
    },
    F3: {
      title: 'Nur eine Antwort',
      text: 'Auf jeden Angriff gibt es nur eine Antwort: Nach dem Anzweifeln kannst du nicht mehr abwehren. Ist das Flitterific!, mit dem du abwehrst, deine letzte Karte, hast du ausgemacht.',
      rulings: [
        'Das Regelblatt sagt nicht, ob man nach dem Anzweifeln noch abwehren kann; dass es nicht geht, haben wir gewählt.',
        'Das Regelblatt erwähnt das Abwehren mit der letzten Karte nicht; dass man damit ausmacht, haben wir gewählt.',
      ],
    },
    F4: {
      title: 'Die Karte abwehren, die eine Runde beendet',
      text: 'Auch +2 oder Farbwahl +4, mit der jemand ausmacht, lässt sich abwehren. Du sparst dir die neuen Karten und wirst ein Flitterific! los, das mit 50 Punkten gegen dich gezählt hätte. Die Runde ist trotzdem vorbei, und gewonnen hat, wer zuerst keine Karten mehr hatte.',
      rulings: ['Das Regelblatt sagt nicht, ob sich die Karte abwehren lässt, die eine Runde beendet; dass es geht, ohne am Sieger etwas zu ändern, haben wir gewählt.'],
    },
    O1: {
      title: 'Olafs Sommerzeit spielen',
      text: 'Sie ist eine Farbwahlkarte: Sie passt auf jede Karte, und du nennst die Farbe. Wenn du magst, legst du weitere Karten aus der Hand mit ab, höchstens drei, und zwar nur rosa oder nur gelbe; Zahlen und Zeichen sind beide recht. Weil diese Karten abgeworfen und nicht gespielt werden, geht das auch mit einer Olafs Sommerzeit, die du eben erst gezogen hast.',
      rulings: ['Das Regelblatt sagt nicht, ob auch eine eben gezogene Olafs Sommerzeit Karten mitnehmen kann; dass sie es kann, haben wir gewählt.'],
    },
    O2: {
      title: 'Was die mitgenommenen Karten bewirken',
      text: 'Nichts: Sie gleiten unter Olafs Sommerzeit, und was auf ihnen steht, geschieht nicht. Oben bleibt Olafs Sommerzeit mit der Farbe, die du genannt hast.',
      rulings: ['Das Regelblatt sagt nicht, wohin diese Karten kommen und ob sie wirken; dass sie nach unten kommen und nichts bewirken, haben wir gewählt.'],
    },
    O3: {
      title: 'Wenige Karten nach Olafs Sommerzeit',
      text: 'Hast du danach keine Karten mehr, hast du ausgemacht. Hast du noch eine, musst du „UNO“ rufen, wie U1 sagt.',
    },
    H1: {
      title: 'Alle Hände mischen',
      text: 'Jeder gibt seine ganze Hand ab. Alle diese Karten werden gemischt und einzeln bis zur letzten neu ausgeteilt; deine Hand kann also größer oder kleiner werden. Der Spieler links von dem, der die Karte gespielt hat, bekommt die erste, und es wird nach links ausgeteilt, auch wenn rechtsherum gespielt wird.',
    },
    H2: {
      title: 'Die Farbe nach dem Mischen',
      text: 'Danach nennt die Farbe, wer die Karte gespielt hat. Die Spielrichtung bleibt, wie sie war.',
      rulings: ['Die Farbe wird nach einem Blick auf die neue Hand genannt, weil das Regelblatt zuerst vom Mischen spricht.'],
    },
    H3: {
      title: 'Farbwahl Hände mischen und das Ende einer Runde',
      text: 'Ist es deine letzte Karte, hast du ausgemacht, und keine Hand wird gemischt. Wer beim Mischen eine einzige Karte bekommt, muss nicht „UNO“ rufen.',
      rulings: [
        'Das Regelblatt sagt nicht, was geschieht, wenn es die letzte Karte ist; bei uns beendet sie die Runde.',
        'Das Regelblatt sagt nicht, ob man für eine einzelne Karte aus dem Mischen „UNO“ rufen muss; bei uns nicht.',
      ],
    },
    C1: {
      title: 'Eine Karte mit eurer eigenen Regel',
      text: 'Jede Eigene Karte ist eine Farbwahlkarte, die eine Hausregel von euch tragen kann; alle müssen ihr zustimmen, bevor ihr anfangt. Die drei Karten dürfen drei verschiedene Regeln haben. Eine Karte ohne Regel ist einfach eine Farbwahl.',
    },
    C2: {
      title: 'Was eure Regel kann',
      text: 'Gebt eurer Regel einen Titel und einen Text und wählt die Wirkungen, die das Spiel ausführen soll: ziehen, ablegen, noch ein Zug, offene Hände, ein Witz, über den die anderen urteilen, eine Herausforderung und so weiter. Die zehn Ideen des Regelblatts liegen bereit, auch die albernen, und ihr könnt viele weitere zusammenstellen. Wählt ihr keine Wirkung, zeigt das Spiel Titel und Text und verlässt sich darauf, dass ihr tut, was dort steht.',
    },
    C3: {
      title: 'Wann eure Regel wirkt',
      text: 'Die Farbe nennst du mit dem Spielen der Karte. Danach werden die Wirkungen von der ersten bis zur letzten ausgeführt.',
      rulings: ['Ist es deine letzte Karte, hast du ausgemacht, und die Wirkungen unterbleiben.'],
    },
    C4: {
      title: 'Wer zuerst handelt',
      text: 'Betrifft eine Wirkung mehrere Spieler, beginnt der nach dem, der die Karte gespielt hat, und die anderen folgen in Spielrichtung; er selbst kommt also zuletzt. Wer ablegen muss, sucht sich die Karten selbst aus.',
      rulings: ['Das Regelblatt lässt offen, wer zuerst handelt und wer die Karten aussucht; diese Reihenfolge und das eigene Aussuchen haben wir gewählt.'],
    },
    C5: {
      title: 'Wenn eine Wirkung eine Hand leert',
      text: 'Nimmt eine Wirkung jemandem die letzte Karte, wird sie noch für alle zu Ende geführt, die sie betrifft. Von denen, die dann keine Karten haben, hat der Erste in der Reihenfolge von C4 ausgemacht und gewinnt die Runde. Die übrigen Wirkungen der Karte unterbleiben. Wer nur Farbwahlkarten hat, gewinnt also, wenn alle ihre Farbwahlkarten abwerfen müssen.',
      rulings: ['Das Regelblatt sagt nicht, was geschieht, wenn eine Wirkung eine Hand leert; sie zu Ende zu führen und dem Ersten die Runde zu geben, haben wir gewählt.'],
    },
    U1: {
      title: '„UNO“ rufen',
      text: 'Wenn du dich selbst auf eine einzige Karte bringst, durch Spielen oder weil du wegen einer Karte ablegst, musst du „UNO“ rufen. Du kannst es zugleich mit deiner Karte tun oder später, wenn dich niemand vorher erwischt. Dazwischen bist du fällig: Man kann dich erwischen.',
      rulings: ['Kommst du anders zu einer einzigen Karte, weil sie dir ausgeteilt, getauscht oder weitergegeben wurde, musst du nicht rufen.'],
    },
    U2: {
      title: 'Jemanden erwischen',
      text: 'Jeder andere darf dich erwischen, solange du fällig bist. Die Zeit dafür beginnt, wenn deine Karte auf dem Ablagestapel liegt, und endet, wenn der nächste Spieler seinen Zug beginnt. Wirst du erwischt, ziehst du zwei Karten oder so viele, wie die Hausregel „UNO-Strafe“ sagt.',
    },
    U3: {
      title: 'Wann ein Zug beginnt',
      text: 'Dein Zug beginnt, wenn du vom Ziehstapel ziehst oder eine Karte aus der Hand nimmst, um sie zu spielen; von da an kann niemand mehr erwischt werden, der vorher fällig war. Bist du selbst fällig und auch als Nächster dran, etwa zu zweit nach einem Aussetzen, so macht deine eigene Karte oder dein Ziehen dem ein Ende.',
      rulings: [
        'Kein Beginn eines Zuges ist es, wenn du ziehen musst und darum aussetzt, wenn du anzweifelst oder eine Farbe nennst.',
        'Kein Beginn eines Zuges ist es, wenn du wegen einer Karte ablegst, abstimmst oder auf eine Herausforderung antwortest.',
        'Ein Beginn ist es, wenn du dazwischenwirfst oder stapelst.',
        'Ein Beginn ist es, wenn du mit Flitterific! abwehrst.',
        'Nur das originale Regelblatt erklärt, was es heißt, einen Zug zu beginnen; wir halten uns in jeder Ausgabe daran.',
      ],
    },
    U4: {
      title: 'Wann du wieder sicher bist',
      text: 'Sobald du rufst, bist du nicht mehr fällig. Dasselbe gilt, wenn du erwischt worden bist, auch wenn keine Karte mehr für dich da war, und immer, wenn du nicht mehr genau eine Karte hast.',
    },
    U5: {
      title: 'Rufe ohne Grund',
      text: 'Das Spiel nimmt es nicht an, wenn du jemanden erwischen willst, der nicht fällig ist, und auch kein „UNO“, wenn es nichts zu rufen gibt. Es sagt es dir, und das ist alles: keine Strafe.',
      rulings: ['Die Regelblätter erwähnen keine irrtümlichen Rufe; sie ohne Strafe abzuweisen, haben wir gewählt.'],
    },
    G1: {
      title: 'Das Ende einer Runde',
      text: 'Eine Runde ist vorbei, wenn jemand keine Karten mehr hat. Dieser Spieler hat ausgemacht und gewinnt sie.',
    },
    G2: {
      title: 'Mit +2 oder Farbwahl +4 ausmachen',
      text: 'Der Spieler nach dem Sieger zieht die zwei oder vier Karten noch. Sie gehören zu seiner Hand, wenn die Punkte gezählt werden.',
      rulings: ['Das moderne Regelblatt erwähnt das nicht; wir spielen auch dort so.'],
      differences: { fairies: 'Dieser Spieler kann sich mit Flitterific! retten (F4).' },
    },
    P1: {
      title: 'Was Karten wert sind',
      text: 'Eine Zahl ist so viele Punkte wert, wie sie zeigt. +2, Richtungswechsel und Aussetzen sind je 20 Punkte wert. Farbwahl und Farbwahl +4 sind je 50 wert.',
      rulings: [
        'In unserer Kopie des Feen-Regelblatts ist nicht zu sehen, was +2 wert ist; wir zählen 20.',
        'In unserer Kopie des modernen Regelblatts fehlt die Zahl für +2, Richtungswechsel und Aussetzen; wir zählen 20.',
      ],
      differences: {
        fairies: 'Flitterific! ist 50 Punkte wert.',
        frozen: 'Olafs Sommerzeit ist 50 Punkte wert.',
        custom: 'Farbwahl Hände mischen und Eigene Karten sind je 40 Punkte wert.',
      },
    },
    P2: {
      title: 'Wer zuerst 500 hat',
      text: 'So wird gewöhnlich gezählt. Wer eine Runde gewinnt, bekommt Punkte für jede Karte, die die anderen noch haben. Das Spiel gewinnt, wer zuerst 500 Punkte oder mehr hat. Ein Tisch kann ein anderes Ziel vereinbaren.',
      differences: { modern: 'Das ist hier nur eine Möglichkeit: Wählt der Tisch sie nicht, entscheidet eine Runde (P4).' },
    },
    P3: {
      title: 'Die kleinste Summe',
      text: 'Ein Tisch kann das statt P2 wählen. Nach jeder Runde zählt jeder die Karten der eigenen Hand zur eigenen Summe. Sobald jemand 500 Punkte oder mehr hat, ist das Spiel vorbei, und die kleinste Summe gewinnt. Ein Tisch kann ein anderes Ziel vereinbaren.',
      rulings: ['Haben mehrere dieselbe kleinste Summe, gewinnen sie alle.'],
      differences: { modern: 'Das Regelblatt kennt diese Wertung nicht, aber ein Tisch kann sie trotzdem wählen.' },
    },
    P4: {
      title: 'Eine einzige Runde',
      text: 'Ein Tisch kann vereinbaren, nur eine Runde zu spielen. Wer ausmacht, hat das Spiel gewonnen, und niemand bekommt Punkte.',
      differences: { modern: 'So wird hier gewöhnlich gespielt, wenn der Tisch nichts anderes wählt.' },
    },
    P5: {
      title: 'Punkte einer festgefahrenen Runde',
      text: 'Was nach einer festgefahrenen Runde (T5) geschieht, hängt von der Wertung ab. Bei P2 bekommt niemand Punkte. Bei P3 zählt jeder die eigene Hand zur eigenen Summe. Bei P4 hat die Runde keinen Sieger, und der nächste Geber (D3) gibt eine neue.',
      rulings: ['Die Regelblätter kennen keine festgefahrenen Runden, also haben wir diese Wertung ganz gewählt.'],
    },
    X1: {
      title: 'Anderen vorsagen',
      text: 'Wer einem anderen sagt, was er spielen soll, zieht vier Karten. Das Regelwerk überlässt die Entscheidung einem Schiedsrichter; am Tisch im Netz wirft es jemand dem Spieler vor, die übrigen Menschen dort stimmen ab (Bots nicht), und es braucht eine Mehrheit. Das geht jederzeit, bis die Runde vorbei ist, aber nie bei jemandem, der schon ausgemacht hat. Legt der Spieler gerade wegen einer Karte ab, muss er so viele Karten mehr ablegen. Andere Ausgaben können diese Regel durch die Hausregel „Strafe fürs Vorsagen“ haben.',
    },
    reverse_skips_with_two: {
      title: 'Richtungswechsel zu zweit',
      text: 'Spielen nur zwei, wirkt Richtungswechsel wie Aussetzen: Du bist noch einmal dran, und die Richtung bleibt. Ist es die Startkarte, eröffnet der Geber die Runde, und die Richtung bleibt auch dann.',
      differences: { modern: 'Als Startkarte bewirkt Richtungswechsel nichts, wie hier immer (S3).' },
    },
    stacking: {
      title: 'Auf eine Ziehkarte mit einer Ziehkarte antworten',
      text: 'Mit „Gleiche Art“ kannst du +2 auf eine +2 legen, die dich trifft, oder Farbwahl +4 auf Farbwahl +4; mit „Jede Art“ kannst du mischen, nur braucht +2 auf Farbwahl +4 die genannte Farbe; „Aus“ ist das gewöhnliche Spiel. Die Karten summieren sich, und der Erste, der nicht antwortet, nimmt sie alle und setzt aus. Antwortest du mit Farbwahl +4, entscheidet wie immer W2, ob das ehrlich ist: Eine Karte der geltenden Farbe macht es zum Bluff, auch wenn sie keine Antwort gewesen wäre. Anzweifeln kann man, wenn zuletzt Farbwahl +4 gespielt wurde, und es geht nur um diese Karte: Wer geblufft hat, nimmt die ganze Summe; wer zu Unrecht zweifelte, die Summe und zwei mehr. Auf die Karte, die eine Runde beendet, kann man so nicht antworten, also nimmt der nächste Spieler die ganze Summe.',
      differences: { fairies: 'Flitterific! wehrt die ganze Summe ab, auch wenn die letzte Karte die Runde beendet hat (F4).' },
    },
    seven_zero: {
      title: 'Siebenen tauschen, Nullen geben weiter',
      text: 'Spielst du eine 7, wählst du einen Spieler, und ihr beide tauscht die Hände. Spielst du eine 0, gibt jeder seine Hand dem Nächsten in Spielrichtung. Ist die 7 oder 0 deine letzte Karte, hast du ausgemacht, und alle Hände bleiben, wo sie sind. Für eine Hand, die du bekommst, musst du nicht „UNO“ rufen, und wer eine Hand weggegeben hat, kann für sie nicht erwischt werden. Hattest du vor dem Tausch noch eine Karte, kannst du mit diesem Zug „UNO“ rufen.',
    },
    jump_in: {
      title: 'Dazwischenwerfen',
      text: 'Hast du eine Karte mit genau derselben Farbe und genau derselben Zahl oder demselben Zeichen wie die oberste, kannst du sie spielen, obwohl du nicht dran bist; Farbwahlkarten sind ausgenommen. Das geht nur, bevor der Spieler, der dran ist, gespielt oder gezogen hat, und nicht, solange jemand etwas zu entscheiden hat. Von deinem Platz geht es weiter, als wärst du dran gewesen, und wer vorher „UNO“ schuldig war, kann nicht mehr erwischt werden (U3). Auch auf deine eigene Karte darfst du dazwischenwerfen.',
    },
    draw_to_match: {
      title: 'Ziehen, bis eine Karte passt',
      text: 'Wenn du ziehst, auch mit einer passenden Karte auf der Hand, ziehst du weiter, bis eine Karte kommt, die du spielen darfst, oder bis keine mehr da ist. Farbwahl +4 beendet die Suche, auch wenn sie ein Bluff wäre, außer mit „Kein Bluffen“. Von allen deinen Karten kannst du in diesem Zug nur diese letzte spielen; behalten kannst du sie auch.',
    },
    force_play: {
      title: 'Wer spielen kann, muss',
      text: 'Hast du eine Karte, die du spielen kannst, darfst du nicht ziehen. Kannst du die gezogene Karte spielen, darfst du sie nicht behalten. Farbwahl +4 gilt dabei nur als spielbar, wenn sie ehrlich ist (W2). Stapeln oder abwehren musst du nie.',
    },
    no_bluffing: {
      title: 'Kein Bluffen',
      text: 'Das Spiel lässt Farbwahl +4 nur zu, wenn sie ehrlich ist (W2), auch als Antwort beim Stapeln. Weil es nichts zu bezweifeln gibt, gibt es kein Anzweifeln. Das geht nicht zusammen mit „Kein Anzweifeln“.',
      rulings: ['In der Ausgabe Modern zählen andere Farbwahl +4 auf deiner Hand hier nicht als passend: Zwei davon könnte man sonst nie spielen.'],
    },
    no_challenges: {
      title: 'Kein Anzweifeln',
      text: 'Du kannst Farbwahl +4 spielen, was du auch in der Hand hast, und niemand kann sie anzweifeln. Das geht nicht zusammen mit „Kein Bluffen“.',
    },
    hand_size: {
      title: 'Karten für jeden',
      text: 'Ihr könnt jedem 1 bis 20 Karten austeilen; 7 sind üblich. Der Stapel muss für alle Hände und eine Startkarte reichen.',
    },
    uno_penalty: {
      title: 'Karten für ein vergessenes „UNO“',
      text: 'Wer erwischt wird, zieht so viele Karten, von 0 bis 20; 2 sind üblich (U2). Bei 0 ist nie jemand fällig, also kann niemand erwischt werden.',
    },
    suggestion_penalty: {
      title: 'Karten fürs Vorsagen',
      text: 'Wer einem anderen sagt, was er spielen soll, zieht so viele Karten, von 0 bis 20 (X1). Bei 0 gilt die Regel nicht; das ist in jeder Ausgabe üblich außer in der originalen, wo es 4 sind.',
    },
  },
  editions: {
    original: {
      summary: 'Das klassische Spiel mit 108 Karten in Rot, Gelb, Grün und Blau. Ein Spiel geht über mehrere Runden, bis jemand 500 Punkte hat.',
      special: [
        'Sie hat keine besonderen Karten außer denen, die alle Ausgaben haben.',
        'Einem anderen zu sagen, was er spielen soll, kostet vier Karten [X1].',
        'Nur ihr Regelblatt erklärt, wann ein Zug beginnt; wir halten uns in jeder Ausgabe daran [U3].',
      ],
    },
    fairies: {
      summary: 'Die klassischen Karten und vier Flitterific!, Farbwahlkarten, die dich vor dem Ziehen schützen: 112 Karten in Rot, Gelb, Grün und Blau. Ein Spiel geht über mehrere Runden, bis jemand 500 Punkte hat.',
      special: [
        'Flitterific! wehrt +2 oder Farbwahl +4 ab und wirkt sonst wie Farbwahl [F1, F2].',
        'Nach jeder +2 und Farbwahl +4 wartet das Spiel auf eine Antwort [F1].',
        'Anzweifeln und Abwehren schließen einander aus [F3].',
        'Sogar die Ziehkarte, die eine Runde beendet, lässt sich abwehren [F4].',
        'Flitterific! in einer Hand zählt 50 Punkte [P1].',
        'Als Startkarte lässt es nur einen Spieler die Farbe nennen [S5], und vor +2 als Startkarte schützt es nicht [S7].',
      ],
    },
    frozen: {
      summary: 'Die klassischen Karten in Rosa, Gelb, Grün und Blau und vier Olafs Sommerzeit, Farbwahlkarten, die andere Karten mitnehmen können: 112 Karten. Ein Spiel geht über mehrere Runden, bis jemand 500 Punkte hat.',
      special: [
        'Rosa tritt an die Stelle von Rot [A4].',
        'Mit Olafs Sommerzeit kannst du bis zu drei rosa oder drei gelbe Karten loswerden [O1].',
        'So abgelegte Karten bewirken nichts [O2], können dich aber auf eine Karte oder auf keine bringen [O3].',
        'Olafs Sommerzeit in einer Hand zählt 50 Punkte [P1].',
        'Als Startkarte lässt sie nur einen Spieler die Farbe nennen [S5].',
      ],
    },
    custom: {
      summary: 'Die klassischen Karten, eine Farbwahl Hände mischen und bis zu drei Eigene Karten, die eure Regeln tragen: mit allen 112 Karten in Rot, Gelb, Grün und Blau. Ein Spiel geht über mehrere Runden, bis jemand 500 Punkte hat.',
      special: [
        'Farbwahl Hände mischen mischt die Hände aller Spieler und teilt sie neu aus [H1]; die Farbe wird danach genannt [H2].',
        'Eigene Karten tun, was euer Tisch vereinbart hat [C1, C2].',
        'Ihr wählt vorher, wie viele Eigene Karten dabei sind; es sind dann 109 bis 112 Karten [C1].',
        'Eine Wirkung kann einem Spieler die letzte Karte nehmen; er gewinnt dann die Runde [C5].',
        'Farbwahl Hände mischen und Eigene Karten in einer Hand zählen je 40 Punkte [P1].',
        'Als Startkarte lassen sie nur einen Spieler die Farbe nennen [S5].',
      ],
      rulings: ['Der Tisch darf auch ganz ohne Eigene Karten spielen.'],
    },
    modern: {
      summary: 'Das kurze Spiel von heute mit 112 Karten in Rot, Gelb, Grün und Blau. Eine Runde entscheidet, und Punkte zu zählen ist freigestellt.',
      special: [
        'Der Zufall bestimmt den Geber [D1].',
        'Eine Startkarte, die keine Zahl ist, bewirkt nichts: Es wird weiter aufgedeckt, bis eine Zahl kommt [S2, S3, S4, S5, S6].',
        'Ehrlich ist Farbwahl +4 nur, wenn die Hand auch keine Farbwahlkarte hat [W2].',
        'Das Regelblatt selbst sagt, dass die Farbe nach dem Anzweifeln weiter gilt [W7].',
        'Wer ausmacht, hat gewonnen [P4]; man kann um 500 Punkte spielen [P2], aber die kleinste Summe kennt das Regelblatt nicht [P3].',
        'Jede Farbe hat hier zwei Nullen, in den anderen Ausgaben eine.',
      ],
      rulings: ['Das Regelblatt spricht von 112 Karten, beschreibt aber nur die Arten, aus denen die üblichen 108 bestehen; die anderen vier halten wir für eine zweite 0 in jeder Farbe.'],
    },
  },
  starters: [
    { title: 'Weitergraben', text: 'Der nächste Spieler zieht, bis eine Karte der Farbe kommt, die du genannt hast.' },
    { title: 'Den Tisch zähmen', text: 'Alle anderen werfen jede Farbwahlkarte ab, die sie haben.' },
    { title: 'Nichts passt? Drei!', text: 'Wenn der nächste Spieler nichts spielen kann, zieht er drei Karten statt einer.' },
    { title: 'Noch einmal', text: 'Du bist gleich noch einmal dran.' },
    { title: 'Zurück auf sieben', text: 'Der nächste Spieler zieht oder legt ab, bis er sieben Karten hat.' },
    { title: 'Drei für alle', text: 'Jede Hand wird zu drei Karten, durch Ziehen oder durch Ablegen.' },
    { title: 'Karten auf den Tisch', text: 'Alle Hände liegen offen, bis du wieder dran bist.' },
    {
      title: 'Auf die Bühne',
      text: 'Bringst du den Tisch zum Lachen, behältst du eine einzige Karte; lacht niemand, ziehst du vier.',
      texts: ['Erzähl dem Tisch deinen besten Witz. Hat jemand gelacht?'],
    },
    {
      title: 'Steife Arme',
      text: 'Der nächste Spieler hält beide Ellbogen gestreckt, bis wieder jemand UNO ruft.',
      texts: ['Ellbogen gestreckt, bis jemand UNO ruft'],
    },
    {
      title: 'Kikeriki',
      text: 'Der nächste Spieler kräht wie ein Hahn, oder er kneift und zieht vier.',
      texts: ['Kräh wie ein Hahn, so gut du kannst'],
    },
  ],
};
