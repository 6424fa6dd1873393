import type { Texts } from './texts';

const MODERN_START = 'La carte reste là sans effet ; on en retourne d’autres jusqu’à ce qu’un chiffre apparaisse (S2).';

/** Les règles en français. */
export const fr: Texts = {
  sections: {
    D: 'Donneur et distribution',
    S: 'La carte de départ',
    T: 'Un tour',
    A: 'Cartes d’action et Joker',
    W: 'Joker +4',
    F: 'Flitterific!',
    O: 'L’été d’Olaf',
    H: 'Joker Mélange des mains',
    C: 'Joker personnalisable',
    U: 'Dire « UNO »',
    G: 'Poser sa dernière carte',
    P: 'Points',
    X: 'Parler à table',
    House: 'Règles maison',
  },
  rules: {
    D1: {
      title: 'Qui distribue',
      text: 'Avant la toute première manche, chacun prend une carte, et celui qui montre le plus grand chiffre devient le donneur. Une carte à symbole ne vaut rien pour cela.',
      rulings: [
        'Si plusieurs montrent le même plus grand chiffre, eux seuls recommencent, jusqu’à ce que l’un l’emporte.',
        'Toutes les cartes prises pour cela retournent dans le paquet avant qu’on le mélange pour distribuer.',
        'La feuille moderne ne dit pas comment on trouve le donneur ; là, le hasard choisit une place.',
      ],
      differences: { modern: 'Personne ne prend de carte pour cela : le hasard choisit la place du donneur.' },
    },
    D2: {
      title: 'La distribution',
      text: 'On joue de deux à dix. Chacun reçoit sept cartes, sauf si la règle maison « Cartes distribuées » fixe un autre nombre. Le reste va face cachée au milieu : c’est la pioche.',
      rulings: [
        'Les cartes sont distribuées une à une, et la première va au joueur à gauche du donneur.',
        'Une seule des feuilles dit combien de personnes peuvent jouer ; nous en admettons de deux à dix dans chaque édition.',
      ],
    },
    D3: {
      title: 'Le donneur suivant',
      text: 'À chaque nouvelle manche, c’est le joueur à gauche du dernier donneur qui distribue.',
      rulings: ['Les feuilles ne disent pas qui distribue les manches suivantes ; que cela passe à gauche est notre choix.'],
    },
    S1: {
      title: 'Un chiffre comme carte de départ',
      text: 'Après la distribution, on retourne la carte du dessus de la pioche pour ouvrir la défausse. Si c’est un chiffre, le joueur à gauche du donneur joue le premier, et le jeu tourne vers la gauche.',
    },
    S2: {
      title: '+2 comme carte de départ',
      text: 'Elle touche le joueur à gauche du donneur, qui pioche deux cartes et n’a pas de premier tour. C’est le joueur d’après qui ouvre la manche.',
      rulings: ['Dans l’édition moderne, les cartes retournées pour rien restent dans la défausse, sous le chiffre qui finit par apparaître.'],
      differences: { modern: 'La carte reste là sans effet. On en retourne d’autres jusqu’à ce qu’un chiffre apparaisse, puis S1 s’applique.' },
    },
    S3: {
      title: 'Changement de sens comme carte de départ',
      text: 'Le jeu tourne vers la droite dès le début, et le donneur a le premier tour.',
      differences: { modern: MODERN_START },
    },
    S4: {
      title: 'Passe comme carte de départ',
      text: 'Le joueur à gauche du donneur est sauté, donc le deuxième à gauche ouvre la manche.',
      differences: { modern: MODERN_START },
    },
    S5: {
      title: 'Un joker comme carte de départ',
      text: 'Si l’on retourne un Joker, le joueur à gauche du donneur annonce une couleur puis joue le premier.',
      rulings: ['Les feuilles ne disent pas ce qu’une telle carte fait de plus au départ ; qu’elle ne fasse rien d’autre est notre choix.'],
      differences: {
        fairies: 'Ici, Flitterific! fait la même chose et rien de plus.',
        frozen: 'Ici, L’été d’Olaf fait la même chose et n’emporte aucune carte.',
        custom: 'Ici, un Joker Mélange des mains ou un Joker personnalisable fait la même chose : pas de mains mélangées, pas de règle à soi.',
        modern: MODERN_START,
      },
    },
    S6: {
      title: 'Joker +4 comme carte de départ',
      text: 'Un Joker +4 n’ouvre jamais la défausse. Il retourne dans la pioche, et on retourne une autre carte.',
      rulings: ['La pioche est mélangée encore une fois avant de retourner la carte suivante.'],
      differences: { modern: 'Il ne retourne pas dans la pioche. Il reste là sans effet, et on retourne des cartes jusqu’à ce qu’un chiffre apparaisse (S2).' },
    },
    S7: {
      title: 'Personne n’a joué la carte de départ',
      text: 'Un +2 retourné au départ ne vient de la main de personne. La règle maison « Cumul » ne permet donc pas d’y ajouter quoi que ce soit.',
      rulings: ['Les feuilles ne disent pas si l’on peut répondre à une carte de départ ; qu’on ne le puisse pas est notre choix.'],
      differences: {
        fairies: 'Flitterific! n’en protège pas non plus.',
        modern: 'Cela n’arrive jamais, car un +2 retourné au départ ne fait rien (S2).',
      },
    },
    S8: {
      title: 'Aucune carte de départ',
      text: 'Avec de très grandes mains, il peut arriver que les cartes restantes n’en contiennent aucune qui puisse ouvrir la défausse. Alors on ramasse tout, on mélange et on redistribue.',
      rulings: ['Les feuilles ne prévoient pas qu’on ne trouve pas de carte de départ ; la nouvelle distribution est notre choix.'],
    },
    T1: {
      title: 'Jouer une carte',
      text: 'À ton tour, tu peux poser une carte sur la défausse. Elle doit s’accorder avec celle du dessus par la couleur, le chiffre ou le symbole ; sur un joker, c’est la couleur annoncée qui compte. Les jokers de toute sorte vont sur n’importe quelle carte, mais le Joker +4 a une condition (W2).',
    },
    T2: {
      title: 'Piocher une carte',
      text: 'Au lieu de jouer, tu peux piocher une carte, même si tu aurais pu jouer. Si la nouvelle carte convient, tu peux la jouer aussitôt ou la garder, mais les cartes que tu avais avant restent dans ta main ce tour-ci. Si elle ne convient pas, ton tour est fini.',
      rulings: ['Si la carte ne convient pas, le jeu continue aussitôt ; les autres voient donc si une carte que tu gardes aurait pu être jouée.'],
    },
    T3: {
      title: 'Les cartes d’action doivent convenir aussi',
      text: '+2, Changement de sens et Passe ne font pas exception à T1. Une telle carte va sur sa propre couleur, même demandée par un joker, ou sur une carte au même symbole.',
    },
    T4: {
      title: 'Quand la pioche est vide',
      text: 'Si quelqu’un doit piocher et que la pioche est épuisée, la carte du dessus de la défausse reste en place, et toutes celles de dessous sont mélangées pour faire la nouvelle pioche. Un joker parmi elles oublie la couleur qu’on lui avait donnée.',
      rulings: [
        'On ne mélange la défausse que lorsqu’il faut vraiment une carte, pas dès que la pioche est vide.',
        'S’il n’y a rien à mélanger dans la défausse non plus, tu pioches ce qu’on trouve, c’est-à-dire parfois rien.',
      ],
    },
    T5: {
      title: 'Une manche bloquée',
      text: 'Quand plus personne ne peut rien faire, la manche s’arrête sans vainqueur ; P5 dit ce que cela change aux points. C’est le cas quand tous les joueurs, l’un après l’autre tout autour de la table, ont fini leur tour en voulant piocher sans rien trouver. Le compte repart de zéro si quelqu’un joue une carte ou pioche au moins une carte à son propre tour. Les cartes prises à cause d’un +2 ou d’un Joker +4 n’y changent rien.',
      rulings: ['Les feuilles ne prévoient pas que personne ne puisse jouer ; finir la manche sans vainqueur, et la façon de compter jusque-là, sont notre choix.'],
      differences: { fairies: 'Bloquer avec Flitterific! fait aussi repartir le compte de zéro.' },
    },
    A1: {
      title: '+2',
      text: 'Le joueur après toi pioche deux cartes et passe son tour.',
      differences: { fairies: 'Ce joueur peut s’en tirer avec Flitterific! (F1).' },
    },
    A2: {
      title: 'Changement de sens',
      text: 'Le jeu fait demi-tour : il tourne désormais dans l’autre sens. À deux, on ne remarque rien, puisque c’est de toute façon à l’autre. D’habitude, à deux, Changement de sens agit comme Passe ; c’est la règle maison « Changement de sens à deux ».',
      rulings: ['Les feuilles ne parlent pas de deux joueurs ; sans la règle maison, nous prenons le Changement de sens au mot.'],
    },
    A3: { title: 'Passe', text: 'Le joueur après toi est sauté et ne joue pas cette fois.' },
    A4: {
      title: 'Joker',
      text: 'Tu annonces la couleur à suivre. Toutes les couleurs sont permises, même celle qui était déjà en vigueur.',
      differences: { frozen: 'Les couleurs sont rose, jaune, vert et bleu.' },
    },
    W1: {
      title: 'Jouer un Joker +4',
      text: 'Tu annonces la couleur à suivre. Le joueur après toi pioche quatre cartes et passe son tour, ou bien il conteste ta carte (W4).',
      differences: { fairies: 'Ce joueur peut aussi s’en tirer avec Flitterific! (F1).' },
    },
    W2: {
      title: 'Quand un Joker +4 est honnête',
      text: 'Le coup est honnête si aucune de tes autres cartes n’a la couleur en vigueur jusque-là. Un chiffre ou un symbole qui convient dans une autre couleur n’y change rien, un joker non plus. Ce qui compte, c’est ta main au moment de jouer ; ce que tu reçois ensuite ne change rien.',
      rulings: [
        'Dans l’édition moderne, un deuxième Joker +4 dans ta main est aussi un joker et compte donc comme carte qui convient.',
        'Les feuilles ne disent pas à quel moment la main est jugée ; le moment de jouer est notre choix.',
      ],
      differences: { modern: 'Un joker de toute sorte parmi tes autres cartes compte comme carte qui convient ; le coup n’est donc honnête que si tu n’as ni la couleur ni un joker.' },
    },
    W3: {
      title: 'Bluffer',
      text: 'Rien ne t’empêche de jouer un Joker +4 quand W2 dit qu’il ne faudrait pas. C’est un bluff, et il passe si le joueur suivant ne le devine pas et ne conteste pas. Seule la règle maison « Sans bluff » le rend impossible.',
    },
    W4: {
      title: 'Contester un Joker +4',
      text: 'Si c’est à toi de piocher les quatre cartes, tu peux dire que tu ne crois pas le coup honnête ; personne d’autre n’en a le droit. L’autre doit alors te montrer toutes ses cartes, et toi seul les vois. Les règles maison « Sans bluff » et « Sans contestation » suppriment cela.',
      rulings: [
        'Tu dois te décider avant de piocher ; après, il est trop tard pour contester.',
        'Tu vois la main telle qu’elle était quand le Joker +4 a été joué, sans les cartes piochées depuis.',
      ],
    },
    W5: {
      title: 'Contester avec raison',
      text: 'Si c’était un bluff, le bluffeur pioche quatre cartes et toi aucune. Ensuite, c’est à toi.',
      rulings: ['Quand tu as contesté avec raison, tu joues un tour ordinaire.'],
    },
    W6: {
      title: 'Contester à tort',
      text: 'Si le coup était honnête, ton doute te coûte deux cartes en plus des quatre. Tu en pioches six et passes ton tour.',
    },
    W7: {
      title: 'La couleur après une contestation',
      text: 'Quelle que soit l’issue, la couleur annoncée avec le Joker +4 reste en vigueur. La carte n’est pas reprise.',
      rulings: [
        'Seule la feuille moderne dit que la couleur reste en vigueur ; nous jouons ainsi dans toutes les éditions.',
        'Les feuilles ne disent pas ce que devient la carte après un bluff ; nous la laissons sur la défausse.',
      ],
    },
    W8: {
      title: 'Joker +4 comme dernière carte',
      text: 'Quand c’était la dernière carte de quelqu’un, personne ne peut la contester, car sans autre carte en main, ce ne peut pas être un bluff. Le suivant pioche comme le dit G2.',
      rulings: ['Les feuilles ne disent pas si l’on peut contester une dernière carte ; qu’on ne le puisse pas est notre choix.'],
    },
    W9: {
      title: 'Un Joker +4 tout juste pioché',
      text: 'Si la carte que tu pioches à ton tour est un Joker +4, T2 te permet de le jouer aussitôt. Pour savoir si c’est honnête, regarde toutes tes autres cartes, comme l’explique W2.',
    },
    F1: {
      title: 'Bloquer avec Flitterific!',
      text: 'Quand un +2 ou un Joker +4 te touche, tu peux répondre avec Flitterific!. Alors personne ne pioche, tu annonces la couleur pour la suite, et ton tour est joué.',
      rulings: ['Parce que Flitterific! est dans le paquet, le jeu s’arrête après chaque +2 et chaque Joker +4 et interroge le joueur touché, même s’il n’a pas de Flitterific!, pour que la pause ne révèle rien.'],
    },
    F2: {
      title: 'Flitterific! à ton propre tour',
      text: 'Joué à ton tour, il agit comme un Joker : il va sur n’importe quelle carte, et tu annonces la couleur.',
    },
    F3: {
      title: 'Une seule réponse',
      text: 'On ne répond qu’une fois à chaque attaque : après avoir contesté, tu ne peux plus bloquer. Si le Flitterific! avec lequel tu bloques est ta dernière carte, tu as gagné la manche.',
      rulings: [
        'La feuille ne dit pas si l’on peut bloquer après avoir contesté ; qu’on ne le puisse pas est notre choix.',
        'La feuille ne parle pas d’un blocage avec la dernière carte ; qu’on gagne ainsi est notre choix.',
      ],
    },
    F4: {
      title: 'Bloquer la carte qui finit la manche',
      text: 'Même le +2 ou le Joker +4 avec lequel quelqu’un finit peut être bloqué. Tu évites les nouvelles cartes et tu te débarrasses d’un Flitterific!, qui aurait compté 50 points contre toi. La manche est finie quand même, et elle revient au premier qui n’avait plus de cartes.',
      rulings: ['La feuille ne dit pas si l’on peut bloquer la carte qui finit la manche ; qu’on le puisse, sans changer de vainqueur, est notre choix.'],
    },
    O1: {
      title: 'Jouer L’été d’Olaf',
      text: 'C’est un joker : il va sur n’importe quelle carte, et tu annonces la couleur. Si tu veux, tu poses avec lui d’autres cartes de ta main, trois au plus, et seulement des roses ou seulement des jaunes ; chiffres et symboles conviennent. Comme ces cartes sont jetées et non jouées, tu peux le faire aussi avec un Été d’Olaf que tu viens de piocher.',
      rulings: ['La feuille ne dit pas si un Été d’Olaf que tu viens de piocher peut emporter des cartes ; qu’il le puisse est notre choix.'],
    },
    O2: {
      title: 'Ce que font les cartes emportées',
      text: 'Rien : elles glissent sous L’été d’Olaf, et ce qui est imprimé dessus n’arrive pas. L’été d’Olaf reste au-dessus, avec la couleur que tu as annoncée.',
      rulings: ['La feuille ne dit pas où vont ces cartes ni si elles agissent ; qu’elles aillent dessous sans effet est notre choix.'],
    },
    O3: {
      title: 'Peu de cartes après L’été d’Olaf',
      text: 'S’il ne te reste plus de cartes ensuite, tu as gagné la manche. S’il t’en reste une, tu dois dire « UNO », comme le dit U1.',
    },
    H1: {
      title: 'Mélanger toutes les mains',
      text: 'Chacun donne toute sa main. Ces cartes sont mélangées et redistribuées une à une, jusqu’à la dernière ; ta main peut donc grandir ou rétrécir. Le joueur à gauche de celui qui a joué le Joker Mélange des mains est servi le premier, et l’on distribue vers la gauche même si le jeu tourne vers la droite.',
    },
    H2: {
      title: 'La couleur après le mélange',
      text: 'Ensuite, celui qui a joué la carte annonce la couleur. Le sens du jeu reste le même.',
      rulings: ['La couleur est annoncée après un regard sur la nouvelle main, car la feuille parle d’abord du mélange.'],
    },
    H3: {
      title: 'Joker Mélange des mains et la fin de la manche',
      text: 'Si c’est ta dernière carte, tu as gagné la manche et aucune main n’est mélangée. Celui qui reçoit une seule carte au mélange n’a pas à dire « UNO ».',
      rulings: [
        'La feuille ne dit pas ce qui arrive quand c’est la dernière carte ; chez nous elle finit la manche.',
        'La feuille ne dit pas si une seule carte reçue au mélange oblige à dire « UNO » ; nous disons que non.',
      ],
    },
    C1: {
      title: 'Une carte avec votre propre règle',
      text: 'Chaque Joker personnalisable est un joker qui peut porter une règle à vous ; tout le monde doit l’accepter avant de commencer. Les trois cartes peuvent avoir trois règles différentes. Une carte sans règle est un simple Joker.',
    },
    C2: {
      title: 'Ce que votre règle peut faire',
      text: 'Donnez à votre règle un titre et un texte, et choisissez les effets que le jeu doit exécuter : piocher, défausser, rejouer, mains ouvertes, une blague que les autres jugent, un défi et ainsi de suite. Les dix idées de la feuille sont prêtes, même les plus bêtes, et vous pouvez en composer bien d’autres. Sans effet choisi, le jeu montre le titre et le texte et vous fait confiance pour le reste.',
    },
    C3: {
      title: 'Quand votre règle agit',
      text: 'Tu annonces la couleur en jouant la carte. Ensuite, ses effets sont exécutés du premier au dernier.',
      rulings: ['Si c’est ta dernière carte, tu as gagné la manche et les effets n’ont pas lieu.'],
    },
    C4: {
      title: 'Qui agit d’abord',
      text: 'Si un effet concerne plusieurs joueurs, commence celui qui suit le joueur de la carte, puis les autres dans le sens du jeu ; le joueur de la carte passe donc en dernier. Celui qui doit défausser choisit lui-même ses cartes.',
      rulings: ['La feuille laisse ouvert qui agit d’abord et qui choisit les cartes ; cet ordre, et le libre choix de chacun, sont notre décision.'],
    },
    C5: {
      title: 'Quand un effet vide une main',
      text: 'Si un effet prend à quelqu’un sa dernière carte, il va encore jusqu’au bout pour tous ceux qu’il concerne. De ceux qui n’ont alors plus de cartes, le premier dans l’ordre de C4 gagne la manche. Les autres effets de la carte n’ont pas lieu. Ainsi, un joueur qui n’a que des jokers gagne quand une carte fait défausser tous les jokers.',
      rulings: ['La feuille ne dit pas ce qui arrive quand un effet vide une main ; le mener à bout et donner la manche au premier est notre choix.'],
    },
    U1: {
      title: 'Dire « UNO »',
      text: 'Quand tu te retrouves avec une seule carte, en jouant ou en défaussant à cause d’une carte, tu dois dire « UNO ». Tu peux le faire en jouant, ou plus tard si personne ne t’a pris avant. Entre-temps, tu es en faute : on peut te prendre.',
      rulings: ['Si tu arrives à une seule carte autrement, parce qu’on te l’a distribuée, échangée ou passée, tu n’as rien à dire.'],
    },
    U2: {
      title: 'Le contre-UNO',
      text: 'Tant que tu es en faute, n’importe quel autre joueur peut te prendre : c’est le contre-UNO. Le temps commence quand ta carte est sur la défausse et finit quand le joueur suivant commence son tour. Si tu es pris, tu pioches deux cartes, ou autant que le dit la règle maison « Pénalité UNO ».',
    },
    U3: {
      title: 'Quand un tour commence',
      text: 'Tu commences ton tour en piochant ou en sortant une carte de ta main pour la jouer ; dès lors, on ne peut plus prendre ceux qui étaient en faute avant. Si tu es en faute et que c’est aussi à toi, par exemple à deux après un Passe, ton propre coup ou ta pioche y met fin.',
      rulings: [
        'Tu ne commences pas un tour en piochant par force et en passant ton tour, en contestant ou en annonçant une couleur.',
        'Tu ne commences pas un tour en défaussant, en votant ou en répondant à un défi à cause d’une carte.',
        'Tu commences bien un tour en interceptant ou en cumulant une carte.',
        'Tu commences bien un tour en bloquant avec Flitterific!.',
        'Seule la feuille originale explique ce que veut dire commencer un tour ; nous la suivons dans toutes les éditions.',
      ],
    },
    U4: {
      title: 'Quand tu es de nouveau tranquille',
      text: 'Dès que tu le dis, tu n’es plus en faute. De même quand on t’a pris, même s’il n’y avait plus de carte pour toi, et chaque fois que tu n’as plus exactement une carte.',
    },
    U5: {
      title: 'Annonces sans raison',
      text: 'Le jeu n’accepte pas que tu prennes quelqu’un qui n’est pas en faute, ni un « UNO » s’il n’y a rien à dire. Il te le dit, et c’est tout : pas de pénalité.',
      rulings: ['Les feuilles ne parlent pas d’annonces par erreur ; les refuser sans pénalité est notre choix.'],
    },
    G1: {
      title: 'La fin d’une manche',
      text: 'Une manche est finie quand quelqu’un n’a plus de cartes. Ce joueur la gagne.',
    },
    G2: {
      title: 'Finir avec +2 ou Joker +4',
      text: 'Le joueur après le vainqueur pioche encore les deux ou quatre cartes. Elles font partie de sa main quand on compte les points.',
      rulings: ['La feuille moderne n’en parle pas ; nous jouons ainsi là aussi.'],
      differences: { fairies: 'Ce joueur peut s’en tirer avec Flitterific! (F4).' },
    },
    P1: {
      title: 'Ce que valent les cartes',
      text: 'Un chiffre vaut autant de points qu’il montre. Chaque +2, Changement de sens ou Passe vaut 20 points. Chaque Joker ou Joker +4 vaut 50.',
      rulings: [
        'Sur notre copie de la feuille des fées, on ne voit pas ce que vaut +2 ; nous comptons 20.',
        'Sur notre copie de la feuille moderne, il manque le nombre pour +2, Changement de sens et Passe ; nous comptons 20.',
      ],
      differences: {
        fairies: 'Chaque Flitterific! vaut 50 points.',
        frozen: 'Chaque Été d’Olaf vaut 50 points.',
        custom: 'Chaque Joker Mélange des mains ou Joker personnalisable vaut 40 points.',
      },
    },
    P2: {
      title: 'Le premier à 500',
      text: 'C’est la façon habituelle de compter. Le vainqueur d’une manche reçoit des points pour chaque carte que les autres ont encore. La partie revient au premier qui a 500 points ou plus. Une table peut convenir d’un autre but.',
      differences: { modern: 'Ici, c’est au choix : si la table ne le veut pas, une manche décide (P4).' },
    },
    P3: {
      title: 'Le plus petit total',
      text: 'Une table peut le choisir à la place de P2. Après chaque manche, chacun ajoute les cartes de sa main à son propre total. Dès que quelqu’un a 500 points ou plus, la partie est finie, et le plus petit total gagne. Une table peut convenir d’un autre but.',
      rulings: ['Si plusieurs ont le même plus petit total, ils gagnent tous.'],
      differences: { modern: 'La feuille ne connaît pas cette façon de compter, mais une table peut la choisir quand même.' },
    },
    P4: {
      title: 'Une seule manche',
      text: 'Une table peut choisir de ne jouer qu’une manche. Le premier qui n’a plus de cartes gagne la partie, et personne ne reçoit de points.',
      differences: { modern: 'C’est ici la façon habituelle, si la table n’en choisit pas une autre.' },
    },
    P5: {
      title: 'Les points d’une manche bloquée',
      text: 'Ce qui suit une manche bloquée (T5) dépend de la façon de compter. Avec P2, personne ne reçoit de points. Avec P3, chacun ajoute sa main à son total. Avec P4, la manche n’a pas de vainqueur et le donneur suivant (D3) en distribue une autre.',
      rulings: ['Les feuilles ne connaissent pas de manches bloquées ; tout ce compte est donc notre choix.'],
    },
    X1: {
      title: 'Souffler un coup',
      text: 'Celui qui dit à un autre quoi jouer pioche quatre cartes. Le moteur laisse la décision à un arbitre ; à une table en ligne, quelqu’un accuse le joueur, les autres personnes votent (pas les bots), et il faut une majorité. C’est possible à tout moment jusqu’à la fin de la manche, mais jamais contre quelqu’un qui n’a déjà plus de cartes. Si le joueur est en train de défausser à cause d’une carte, il doit en défausser autant de plus. D’autres éditions peuvent avoir cette règle par « Pénalité pour coup soufflé ».',
    },
    reverse_skips_with_two: {
      title: 'Changement de sens à deux',
      text: 'Quand on n’est que deux, un Changement de sens agit comme Passe : c’est encore à toi, et le sens ne change pas. Si c’est la carte de départ, le donneur ouvre la manche, et le sens ne change pas non plus.',
      differences: { modern: 'Comme carte de départ, un Changement de sens ne fait rien, comme toujours ici (S3).' },
    },
    stacking: {
      title: 'Répondre à une carte de pioche par une autre',
      text: 'Avec « Même sorte », tu peux poser un +2 sur un +2 qui te touche, ou un Joker +4 sur un autre ; avec « Toute sorte », tu peux les mêler, mais un +2 sur un Joker +4 doit avoir la couleur annoncée ; « Non » est le jeu habituel. Les cartes s’additionnent, et le premier qui ne répond pas les prend toutes et passe son tour. Si tu réponds par un Joker +4, W2 décide comme toujours si c’est honnête : une carte de la couleur en vigueur en fait un bluff, même si elle n’aurait pas pu répondre. On peut contester si la dernière carte jouée était un Joker +4, et pour cette carte seule : un bluffeur prend toute la somme, celui qui a contesté à tort prend la somme et deux de plus. On ne peut pas répondre ainsi à la carte qui finit une manche, donc le joueur suivant prend toute la somme.',
      differences: { fairies: 'Un Flitterific! bloque toute la somme, même si la dernière carte a fini la manche (F4).' },
    },
    seven_zero: {
      title: 'Les sept échangent, les zéros font tourner',
      text: 'Si tu joues un 7, tu choisis un joueur et vous échangez vos mains. Si tu joues un 0, chacun passe sa main au suivant dans le sens du jeu. Si le 7 ou le 0 est ta dernière carte, tu as gagné la manche et les mains restent où elles sont. Tu n’as pas à dire « UNO » pour une main reçue, et on ne peut prendre personne pour une main qu’il a donnée. Si ton coup t’a laissé une carte avant l’échange, tu peux dire « UNO » avec ce coup.',
    },
    jump_in: {
      title: 'Interception',
      text: 'Si tu as une carte de la même couleur et du même chiffre ou symbole exactement que celle du dessus, tu peux la jouer même si ce n’est pas ton tour ; les jokers sont exclus. Ce n’est possible qu’avant que le joueur dont c’est le tour ait joué ou pioché, et pas pendant que quelqu’un doit décider. Le jeu reprend à partir de ta place comme si c’était ton tour, et on ne peut plus prendre personne pour un « UNO » oublié avant (U3). Tu peux aussi t’interposer sur ta propre carte.',
    },
    draw_to_match: {
      title: 'Piocher jusqu’à ce qu’une carte convienne',
      text: 'Si tu pioches, même avec une carte qui convient en main, tu continues jusqu’à une carte que tu peux jouer, ou jusqu’à ce qu’il n’y en ait plus. Un Joker +4 arrête la recherche même si ce serait un bluff, sauf avec « Sans bluff ». De toutes tes cartes, seule cette dernière peut être jouée ce tour-ci ; tu peux aussi la garder.',
    },
    force_play: {
      title: 'Qui peut jouer doit jouer',
      text: 'Si tu as une carte jouable, tu n’as pas le droit de piocher. Si la carte piochée est jouable, tu n’as pas le droit de la garder. Ici, un Joker +4 n’est jouable que s’il est honnête (W2). Tu n’es jamais obligé de cumuler ni de bloquer.',
    },
    no_bluffing: {
      title: 'Sans bluff',
      text: 'Le jeu refuse un Joker +4 qui n’est pas honnête (W2), même comme réponse quand on cumule. Comme il n’y a plus rien à mettre en doute, on ne conteste pas. Ne va pas avec « Sans contestation ».',
      rulings: ['Dans l’édition moderne, d’autres Joker +4 en main ne comptent pas ici comme carte qui convient : sinon, on ne pourrait jamais en jouer deux.'],
    },
    no_challenges: {
      title: 'Sans contestation',
      text: 'Tu peux jouer un Joker +4 quelle que soit ta main, et personne ne peut le contester. Ne va pas avec « Sans bluff ».',
    },
    hand_size: {
      title: 'Cartes pour chacun',
      text: 'Vous pouvez distribuer de 1 à 20 cartes à chacun ; 7 est l’usage. Le paquet doit suffire pour toutes les mains et une carte de départ.',
    },
    uno_penalty: {
      title: 'Cartes pour un « UNO » oublié',
      text: 'Un joueur pris pioche ce nombre de cartes, de 0 à 20 ; 2 est l’usage (U2). Avec 0, personne n’est jamais en faute, donc personne ne peut être pris.',
    },
    suggestion_penalty: {
      title: 'Cartes pour un coup soufflé',
      text: 'Celui qui dit à un autre quoi jouer pioche ce nombre de cartes, de 0 à 20 (X1). Avec 0, la règle ne joue pas, ce qui est l’usage dans toutes les éditions sauf l’originale, où c’est 4.',
    },
  },
  editions: {
    original: {
      summary: 'Le jeu classique, avec 108 cartes en rouge, jaune, vert et bleu. Une partie dure plusieurs manches, jusqu’à ce que quelqu’un ait 500 points.',
      special: [
        'Elle n’a pas de cartes spéciales en dehors de celles de toutes les éditions.',
        'Dire à un autre quoi jouer coûte quatre cartes [X1].',
        'Sa feuille est la seule à expliquer quand un tour commence ; nous la suivons dans toutes les éditions [U3].',
      ],
    },
    fairies: {
      summary: 'Le paquet classique et quatre Flitterific!, des jokers qui évitent de piocher : 112 cartes en rouge, jaune, vert et bleu. Une partie dure plusieurs manches, jusqu’à ce que quelqu’un ait 500 points.',
      special: [
        'Un Flitterific! bloque un +2 ou un Joker +4, et agit sinon comme un Joker [F1, F2].',
        'Après chaque +2 et chaque Joker +4, le jeu attend une réponse [F1].',
        'Contester et bloquer s’excluent [F3].',
        'Même la carte de pioche qui finit une manche peut être bloquée [F4].',
        'Un Flitterific! resté en main vaut 50 points [P1].',
        'Comme carte de départ, il laisse seulement un joueur annoncer la couleur [S5], et il ne protège pas d’un +2 de départ [S7].',
      ],
    },
    frozen: {
      summary: 'Le paquet classique en rose, jaune, vert et bleu, et quatre Étés d’Olaf, des jokers qui peuvent emporter d’autres cartes : 112 cartes. Une partie dure plusieurs manches, jusqu’à ce que quelqu’un ait 500 points.',
      special: [
        'Le rose remplace le rouge [A4].',
        'Avec un Été d’Olaf, tu peux te débarrasser de trois cartes roses ou de trois jaunes au plus [O1].',
        'Les cartes ainsi défaussées n’ont pas d’effet [O2], mais peuvent te laisser une carte ou aucune [O3].',
        'Un Été d’Olaf resté en main vaut 50 points [P1].',
        'Comme carte de départ, il laisse seulement un joueur annoncer la couleur [S5].',
      ],
    },
    custom: {
      summary: 'Le paquet classique, un Joker Mélange des mains et jusqu’à trois Jokers personnalisables qui portent vos règles : 112 cartes avec tous, en rouge, jaune, vert et bleu. Une partie dure plusieurs manches, jusqu’à ce que quelqu’un ait 500 points.',
      special: [
        'Le Joker Mélange des mains mélange les mains de tous et les redistribue [H1] ; sa couleur est annoncée après [H2].',
        'Les Jokers personnalisables font ce dont votre table est convenue [C1, C2].',
        'Vous choisissez d’avance combien de Jokers personnalisables mettre ; le paquet a alors de 109 à 112 cartes [C1].',
        'Un effet peut prendre à un joueur sa dernière carte ; ce joueur gagne la manche [C5].',
        'Un Joker Mélange des mains ou personnalisable resté en main vaut 40 points [P1].',
        'Comme cartes de départ, ils laissent seulement un joueur annoncer la couleur [S5].',
      ],
      rulings: ['La table peut aussi jouer sans aucun Joker personnalisable.'],
    },
    modern: {
      summary: 'Le jeu court d’aujourd’hui, avec 112 cartes en rouge, jaune, vert et bleu. Une manche décide, et compter les points est facultatif.',
      special: [
        'Le hasard choisit le donneur [D1].',
        'Une carte de départ qui n’est pas un chiffre ne fait rien : on en retourne jusqu’à ce qu’un chiffre apparaisse [S2, S3, S4, S5, S6].',
        'Pour qu’un Joker +4 soit honnête, la main ne doit pas non plus avoir de joker d’aucune sorte [W2].',
        'La feuille dit elle-même que la couleur reste en vigueur après une contestation [W7].',
        'Qui n’a plus de cartes a gagné [P4] ; on peut jouer en 500 points [P2], mais la feuille ne connaît pas le plus petit total [P3].',
        'Son paquet a deux zéros par couleur, les autres éditions un seul.',
      ],
      rulings: ['La feuille annonce 112 cartes mais ne décrit que les sortes qui font les 108 habituelles ; nous prenons les quatre autres pour un second 0 de chaque couleur.'],
    },
  },
  starters: [
    { title: 'Creuse encore', text: 'Le joueur suivant pioche jusqu’à une carte de la couleur que tu as annoncée.' },
    { title: 'Dompter la table', text: 'Tous les autres jettent chaque joker qu’ils ont.' },
    { title: 'Coincé ? Trois !', text: 'Si le joueur suivant n’a rien à jouer, il pioche trois cartes au lieu d’une.' },
    { title: 'Encore un coup', text: 'Tu rejoues aussitôt.' },
    { title: 'Retour à sept', text: 'Le joueur suivant pioche ou défausse pour avoir sept cartes.' },
    { title: 'Trois pour tous', text: 'Chaque main passe à trois cartes, en piochant ou en défaussant.' },
    { title: 'Cartes sur table', text: 'Toutes les mains restent ouvertes jusqu’à ton prochain tour.' },
    {
      title: 'En scène',
      text: 'Si tu fais rire la table, tu gardes une seule carte ; sinon tu en pioches quatre.',
      texts: ['Raconte à la table ta meilleure blague. Quelqu’un a ri ?'],
    },
    {
      title: 'Bras raides',
      text: 'Le joueur suivant garde les coudes tendus jusqu’à ce que quelqu’un dise UNO.',
      texts: ['Coudes tendus jusqu’à ce que quelqu’un dise UNO'],
    },
    {
      title: 'Cocorico',
      text: 'Le joueur suivant chante comme un coq, ou renonce et pioche quatre cartes.',
      texts: ['Chante comme un coq, de ton mieux'],
    },
  ],
};
