import type { Texts } from './texts';

const MODERN_START = 'A carta fica ali e não faz nada; viram-se cartas até aparecer um número (S2).';

/** As regras em português. */
export const pt: Texts = {
  sections: {
    D: 'Quem dá as cartas',
    S: 'A carta inicial',
    T: 'Uma vez de jogar',
    A: 'Cartas de ação e Curinga',
    W: 'Curinga +4',
    F: 'Flitterific!',
    O: 'Verão do Olaf',
    H: 'Curinga Embaralhar Mãos',
    C: 'Curinga personalizável',
    U: 'Dizer “UNO”',
    G: 'Bater',
    P: 'Pontos',
    X: 'Conversa à mesa',
    House: 'Regras da casa',
  },
  rules: {
    D1: {
      title: 'Quem dá as cartas',
      text: 'Antes da primeira rodada, cada um pega uma carta, e quem mostra o maior número dá as cartas. Uma carta com símbolo em vez de número não vale nada aqui.',
      rulings: [
        'Se vários mostram o mesmo maior número, só eles tentam de novo, até um ficar na frente.',
        'Todas as cartas pegas para isso voltam ao monte antes de embaralhar para dar as cartas.',
        'A folha moderna não diz como se escolhe quem dá as cartas; ali o lugar é sorteado.',
      ],
      differences: { modern: 'Ninguém pega carta para isso: o lugar de quem dá as cartas é sorteado.' },
    },
    D2: {
      title: 'Dar as cartas',
      text: 'Jogam de duas a dez pessoas. Cada uma recebe sete cartas, a menos que a regra da casa “Cartas na mão” defina outro número. O resto fica virado para baixo no meio e é o monte.',
      rulings: [
        'As cartas são dadas uma a uma, e a primeira vai para o jogador à esquerda de quem dá.',
        'Só uma das folhas diz quantas pessoas podem jogar; aceitamos de duas a dez em todas as edições.',
      ],
    },
    D3: {
      title: 'Quem dá depois',
      text: 'A cada nova rodada, dá as cartas o jogador à esquerda de quem deu por último.',
      rulings: ['As folhas não dizem quem dá as rodadas seguintes; passar para a esquerda é escolha nossa.'],
    },
    S1: {
      title: 'Um número como carta inicial',
      text: 'Depois de dar as cartas, vira-se a carta de cima do monte para abrir o descarte. Se for um número, o jogador à esquerda de quem deu joga primeiro, e o jogo segue para a esquerda.',
    },
    S2: {
      title: '+2 como carta inicial',
      text: 'Ela atinge o jogador à esquerda de quem deu, que compra duas cartas e fica sem a primeira vez. Quem vem depois dele abre a rodada.',
      rulings: ['Na edição moderna, as cartas viradas sem efeito ficam no descarte, embaixo do número que enfim aparece.'],
      differences: { modern: 'A carta fica ali e não faz nada. Viram-se cartas até aparecer um número, e então vale S1.' },
    },
    S3: {
      title: 'Inverter como carta inicial',
      text: 'O jogo vai para a direita desde o começo, e quem deu as cartas joga primeiro.',
      differences: { modern: MODERN_START },
    },
    S4: {
      title: 'Pular como carta inicial',
      text: 'O jogador à esquerda de quem deu é pulado, então o segundo à esquerda abre a rodada.',
      differences: { modern: MODERN_START },
    },
    S5: {
      title: 'Um curinga como carta inicial',
      text: 'Se virar um Curinga, o jogador à esquerda de quem deu escolhe uma cor e depois joga primeiro.',
      rulings: ['As folhas não dizem o que mais uma carta assim faz no início; que não faça mais nada é escolha nossa.'],
      differences: {
        fairies: 'Aqui, Flitterific! faz o mesmo e mais nada.',
        frozen: 'Aqui, Verão do Olaf faz o mesmo e não leva outras cartas.',
        custom: 'Aqui, Curinga Embaralhar Mãos e Curinga personalizável fazem o mesmo: as mãos não são embaralhadas e nenhuma regra própria vale.',
        modern: MODERN_START,
      },
    },
    S6: {
      title: 'Curinga +4 como carta inicial',
      text: 'Um Curinga +4 nunca abre o descarte. Ele volta para o monte, e vira-se outra carta.',
      rulings: ['O monte é embaralhado mais uma vez antes de virar a próxima carta.'],
      differences: { modern: 'Ele não volta para o monte. Fica ali e não faz nada, e viram-se cartas até aparecer um número (S2).' },
    },
    S7: {
      title: 'Ninguém jogou a carta inicial',
      text: 'Um +2 virado no começo não veio da mão de ninguém. Por isso a regra da casa “Acumular” não deixa ninguém pôr nada em cima.',
      rulings: ['As folhas não dizem se dá para responder a uma carta inicial; que não se possa é escolha nossa.'],
      differences: {
        fairies: 'Flitterific! também não protege dele.',
        modern: 'Isso nunca acontece, porque um +2 virado no começo não faz nada (S2).',
      },
    },
    S8: {
      title: 'Sem carta inicial',
      text: 'Com mãos muito grandes, pode acontecer que entre as cartas que sobram não haja nenhuma que possa abrir o descarte. Então todas são recolhidas, embaralhadas e dadas de novo.',
      rulings: ['As folhas não preveem que falte carta inicial; dar as cartas de novo é escolha nossa.'],
    },
    T1: {
      title: 'Jogar uma carta',
      text: 'Na sua vez, você pode pôr uma carta no descarte. Ela tem de combinar com a de cima na cor, no número ou no símbolo; se em cima há um curinga, vale a cor escolhida. Curingas de todo tipo vão sobre qualquer carta, mas o Curinga +4 tem uma condição (W2).',
    },
    T2: {
      title: 'Comprar uma carta',
      text: 'Em vez de jogar, você pode comprar uma carta, mesmo que pudesse ter jogado. Se a carta nova servir, você pode jogá-la logo ou ficar com ela, mas as cartas que já tinha ficam na mão nesta vez. Se não servir, sua vez acaba.',
      rulings: ['Se a carta não servir, o jogo segue na hora; assim os outros percebem se uma carta que você guardou poderia ter sido jogada.'],
    },
    T3: {
      title: 'Cartas de ação também têm de servir',
      text: '+2, Inverter e Pular não são exceção a T1. Uma carta dessas vai sobre a própria cor, também quando um curinga a pediu, ou sobre uma carta com o mesmo símbolo.',
    },
    T4: {
      title: 'Quando o monte acaba',
      text: 'Se alguém tem de comprar e o monte acabou, a carta de cima do descarte fica, e todas as de baixo são embaralhadas e viram o novo monte. Um curinga entre elas esquece a cor que foi escolhida.',
      rulings: [
        'O descarte só é embaralhado quando uma carta é mesmo necessária, não logo que o monte acaba.',
        'Se também não há descarte para embaralhar, você compra o que se achar, que pode ser nada.',
      ],
    },
    T5: {
      title: 'Uma rodada travada',
      text: 'Quando ninguém mais pode se mexer, a rodada para e não tem vencedor; P5 diz o que isso significa para os pontos. É o caso quando todos os jogadores, um após o outro ao redor da mesa, terminaram a vez tentando comprar sem achar nada. A contagem recomeça quando alguém joga uma carta ou compra pelo menos uma carta na própria vez. Cartas compradas por causa de um +2 ou Curinga +4 não mudam nada.',
      rulings: ['As folhas não preveem que ninguém possa se mexer; acabar a rodada sem vencedor, e o jeito de contar até lá, são escolha nossa.'],
      differences: { fairies: 'Bloquear com Flitterific! também recomeça a contagem.' },
    },
    A1: {
      title: '+2',
      text: 'O jogador depois de você compra duas cartas e perde a vez.',
      differences: { fairies: 'Esse jogador pode se livrar com Flitterific! (F1).' },
    },
    A2: {
      title: 'Inverter',
      text: 'O jogo dá meia-volta: de agora em diante vai no outro sentido. Se vocês são só dois, nem se nota, porque de todo jeito é a vez do outro. O usual entre dois é que Inverter funcione como Pular; é a regra da casa “Inverter com dois jogadores”.',
      rulings: ['As folhas não falam de dois jogadores; sem a regra da casa, tomamos Inverter ao pé da letra.'],
    },
    A3: { title: 'Pular', text: 'O jogador depois de você é pulado e fica sem a vez.' },
    A4: {
      title: 'Curinga',
      text: 'Você escolhe a cor que vale a seguir. Qualquer cor serve, até a que já estava valendo.',
      differences: { frozen: 'As cores são rosa, amarelo, verde e azul.' },
    },
    W1: {
      title: 'Jogar um Curinga +4',
      text: 'Você escolhe a cor que vale a seguir. O jogador depois de você compra quatro cartas e perde a vez, ou então duvida da sua jogada (W4).',
      differences: { fairies: 'Esse jogador também pode se livrar com Flitterific! (F1).' },
    },
    W2: {
      title: 'Quando um Curinga +4 é honesto',
      text: 'A jogada é honesta se nenhuma das suas outras cartas tem a cor que valia até então. Um número ou símbolo que sirva em outra cor não atrapalha, e um curinga também não. Conta a sua mão na hora de jogar; o que você recebe depois não muda nada.',
      rulings: [
        'Na edição moderna, um segundo Curinga +4 na sua mão também é um curinga e por isso conta como carta que serve.',
        'As folhas não dizem quando a mão é julgada; a hora de jogar é escolha nossa.',
      ],
      differences: { modern: 'Um curinga de qualquer tipo entre as suas outras cartas conta como carta que serve; a jogada só é honesta se você não tem nem a cor nem um curinga.' },
    },
    W3: {
      title: 'Blefar',
      text: 'Nada impede você de jogar um Curinga +4 quando W2 diz que não deveria. É um blefe, e dá certo se o próximo jogador não percebe e não duvida. Só a regra da casa “Sem blefe” o torna impossível.',
    },
    W4: {
      title: 'Duvidar de um Curinga +4',
      text: 'Se é você quem tem de comprar as quatro cartas, pode dizer que não acredita que a jogada foi honesta; ninguém mais tem esse direito. O outro tem então de mostrar a você todas as cartas dele, e só você vê. As regras da casa “Sem blefe” e “Proibido duvidar” acabam com isso.',
      rulings: [
        'Você tem de decidir antes de comprar; depois é tarde para duvidar.',
        'Você vê a mão como ela era quando o Curinga +4 foi jogado, sem as cartas compradas depois.',
      ],
    },
    W5: {
      title: 'Duvidar com razão',
      text: 'Se era blefe, quem blefou compra quatro cartas e você nenhuma. Depois é a sua vez.',
      rulings: ['Depois de duvidar com razão, você tem uma vez normal.'],
    },
    W6: {
      title: 'Duvidar sem razão',
      text: 'Se a jogada era honesta, a dúvida custa duas cartas além das quatro. Você compra seis e perde a vez.',
    },
    W7: {
      title: 'A cor depois da dúvida',
      text: 'Termine como terminar, a cor escolhida com o Curinga +4 continua valendo. A carta não é retirada.',
      rulings: [
        'Só a folha moderna diz que a cor continua valendo; jogamos assim em todas as edições.',
        'As folhas não dizem o que acontece com a carta depois de um blefe; nós a deixamos no descarte.',
      ],
    },
    W8: {
      title: 'Curinga +4 como última carta',
      text: 'Quando era a última carta de alguém, ninguém pode duvidar dela, porque sem outra carta na mão não pode ter sido blefe. O próximo compra como diz G2.',
      rulings: ['As folhas não dizem se dá para duvidar de uma última carta; que não dê é escolha nossa.'],
    },
    W9: {
      title: 'Um Curinga +4 recém-comprado',
      text: 'Se a carta que você compra na sua vez é um Curinga +4, T2 deixa jogá-la logo. Para saber se é honesto, olhe todas as suas outras cartas, como explica W2.',
    },
    F1: {
      title: 'Bloquear com Flitterific!',
      text: 'Quando um +2 ou Curinga +4 de alguém atinge você, dá para responder com Flitterific!. Então ninguém compra, você escolhe a cor com que se segue, e sua vez está gasta.',
      rulings: ['Como Flitterific! está no baralho, o jogo para depois de cada +2 e Curinga +4 e pergunta ao jogador atingido, mesmo a quem não tem Flitterific!, para que a pausa não revele nada.'],
    },
    F2: {
      title: 'Flitterific! na sua própria vez',
      text: 'Jogada na sua vez, funciona como um Curinga: vai sobre qualquer carta, e você escolhe a cor.',
    },
    F3: {
      title: 'Só uma resposta',
      text: 'Cada ataque tem só uma resposta: depois de duvidar, você não pode mais bloquear. Se a Flitterific! com que você bloqueia é sua última carta, você bateu.',
      rulings: [
        'A folha não diz se dá para bloquear depois de duvidar; que não dê é escolha nossa.',
        'A folha não fala de bloquear com a última carta; que isso seja bater é escolha nossa.',
      ],
    },
    F4: {
      title: 'Bloquear a carta que acaba a rodada',
      text: 'Até o +2 ou Curinga +4 com que alguém bate pode ser bloqueado. Você se poupa das cartas novas e se livra de uma Flitterific!, que contaria 50 pontos contra você. A rodada acaba mesmo assim, e quem a vence é quem ficou sem cartas primeiro.',
      rulings: ['A folha não diz se dá para bloquear a carta que acaba a rodada; que dê, sem mudar o vencedor, é escolha nossa.'],
    },
    O1: {
      title: 'Jogar Verão do Olaf',
      text: 'É um curinga: vai sobre qualquer carta, e você escolhe a cor. Se quiser, põe junto outras cartas da sua mão, três no máximo, e só rosas ou só amarelas; números e símbolos servem. Como essas cartas são jogadas fora e não jogadas, dá para fazer o mesmo com um Verão do Olaf que você acabou de comprar.',
      rulings: ['A folha não diz se um Verão do Olaf que você acabou de comprar pode levar cartas junto; que possa é escolha nossa.'],
    },
    O2: {
      title: 'O que fazem os descartes a mais',
      text: 'Nada: eles deslizam para baixo do Verão do Olaf, e o que está impresso neles não acontece. Em cima fica o Verão do Olaf, com a cor que você escolheu.',
      rulings: ['A folha não diz para onde vão essas cartas nem se elas agem; que vão para baixo e não façam nada é escolha nossa.'],
    },
    O3: {
      title: 'Poucas cartas depois do Verão do Olaf',
      text: 'Se depois dos descartes a mais você não tem cartas, bateu. Se ficou com uma, tem de dizer “UNO”, como diz U1.',
    },
    H1: {
      title: 'Embaralhar todas as mãos',
      text: 'Todos entregam a mão inteira. Essas cartas são embaralhadas e dadas de novo, uma a uma, até a última, então sua mão pode crescer ou diminuir. O jogador à esquerda de quem jogou o Curinga Embaralhar Mãos recebe primeiro, e as cartas são dadas para a esquerda mesmo que o jogo vá para a direita.',
    },
    H2: {
      title: 'A cor depois de embaralhar',
      text: 'Em seguida, quem jogou a carta escolhe a cor. O sentido do jogo fica como estava.',
      rulings: ['A cor é escolhida depois de ver a mão nova, porque a folha fala primeiro de embaralhar.'],
    },
    H3: {
      title: 'Curinga Embaralhar Mãos e o fim da rodada',
      text: 'Se é sua última carta, você bateu e nenhuma mão é embaralhada. Quem recebe uma só carta ao embaralhar não precisa dizer “UNO”.',
      rulings: [
        'A folha não diz o que acontece quando é a última carta; deixamos que ela acabe a rodada.',
        'A folha não diz se uma só carta recebida ao embaralhar pede “UNO”; dizemos que não.',
      ],
    },
    C1: {
      title: 'Uma carta com a regra de vocês',
      text: 'Cada Curinga personalizável é um curinga que pode levar uma regra de vocês; todos têm de aceitá-la antes de começar. As três cartas podem ter três regras diferentes. Uma carta sem regra é simplesmente um Curinga.',
    },
    C2: {
      title: 'O que a regra pode fazer',
      text: 'Deem à regra um título e um texto, e escolham os efeitos que o jogo deve cumprir: comprar, descartar, jogar de novo, mãos abertas, uma piada que os outros julgam, um desafio e assim por diante. As dez ideias da folha estão prontas, as bobas também, e vocês podem montar muitas outras. Se não escolherem efeitos, o jogo mostra título e texto e confia que vocês façam o que dizem.',
    },
    C3: {
      title: 'Quando a regra age',
      text: 'Você escolhe a cor ao jogar a carta. Depois os efeitos são cumpridos do primeiro ao último.',
      rulings: ['Se é sua última carta, você bateu e os efeitos não acontecem.'],
    },
    C4: {
      title: 'Quem age primeiro',
      text: 'Se um efeito atinge vários jogadores, começa o que vem depois de quem jogou a carta, e os outros seguem no sentido do jogo; quem jogou a carta fica por último. Quem tem de descartar escolhe as próprias cartas.',
      rulings: ['A folha deixa em aberto quem age primeiro e quem escolhe os descartes; essa ordem, e cada um escolher os seus, são decisão nossa.'],
    },
    C5: {
      title: 'Quando um efeito esvazia uma mão',
      text: 'Se um efeito tira a última carta de alguém, ele ainda é cumprido para todos que atinge. Dos que então não têm cartas, o primeiro na ordem de C4 bateu e vence a rodada. Os outros efeitos da carta não acontecem. Assim, quem só tem curingas vence quando uma carta faz todos descartarem os curingas.',
      rulings: ['A folha não diz o que acontece quando um efeito esvazia uma mão; cumpri-lo e dar a rodada ao primeiro é escolha nossa.'],
    },
    U1: {
      title: 'Dizer “UNO”',
      text: 'Quando você fica com uma só carta, ao jogar ou ao descartar pelo efeito de uma carta, tem de dizer “UNO”. Pode dizer junto com a jogada, ou depois, se ninguém pegou você antes. Nesse meio-tempo você está em falta: podem pegar você.',
      rulings: ['Se você chega a uma só carta de outro jeito, porque foi dada, trocada ou passada, não precisa dizer nada.'],
    },
    U2: {
      title: 'Pegar alguém',
      text: 'Qualquer outro pode pegar você enquanto está em falta. O tempo começa quando sua carta está no descarte e acaba quando o próximo jogador começa a vez dele. Se pegarem você, compra duas cartas, ou quantas disser a regra da casa “Punição por esquecer UNO”.',
    },
    U3: {
      title: 'Quando uma vez começa',
      text: 'Você começa sua vez ao comprar do monte ou ao tirar uma carta da mão para jogá-la; a partir daí ninguém que estava em falta antes pode ser pego. Se você está em falta e a próxima vez também é sua, por exemplo depois de um Pular entre dois, sua própria jogada ou compra põe fim a isso.',
      rulings: [
        'Você não começa a vez ao comprar à força perdendo a vez, ao duvidar ou ao escolher uma cor.',
        'Você não começa a vez ao descartar, votar ou responder a um desafio pelo efeito de uma carta.',
        'Você começa a vez, sim, ao cortar ou ao acumular uma carta.',
        'Você começa a vez, sim, ao bloquear com Flitterific!.',
        'Só a folha original explica o que é começar a vez; seguimos isso em todas as edições.',
      ],
    },
    U4: {
      title: 'Quando você está a salvo de novo',
      text: 'Assim que diz, você não está mais em falta. O mesmo vale quando já pegaram você, mesmo que não houvesse carta para comprar, e sempre que você deixa de ter exatamente uma carta.',
    },
    U5: {
      title: 'Avisos sem motivo',
      text: 'O jogo não aceita que você pegue quem não está em falta, nem um “UNO” se não há nada a dizer. Ele avisa você, e só: sem castigo.',
      rulings: ['As folhas não falam de avisos por engano; recusá-los sem castigo é escolha nossa.'],
    },
    G1: {
      title: 'O fim de uma rodada',
      text: 'A rodada acaba quando alguém fica sem cartas. Esse jogador bateu e a vence.',
    },
    G2: {
      title: 'Bater com +2 ou Curinga +4',
      text: 'O jogador depois do vencedor ainda compra as duas ou quatro cartas. Elas fazem parte da mão dele na hora de somar os pontos.',
      rulings: ['A folha moderna não fala disso; lá também jogamos assim.'],
      differences: { fairies: 'Esse jogador pode se livrar com Flitterific! (F4).' },
    },
    P1: {
      title: 'Quanto valem as cartas',
      text: 'Um número vale os pontos que mostra. Cada +2, Inverter ou Pular vale 20 pontos. Cada Curinga ou Curinga +4 vale 50.',
      rulings: [
        'Na nossa cópia da folha das fadas não se vê quanto vale +2; contamos 20.',
        'Na nossa cópia da folha moderna falta o número de +2, Inverter e Pular; contamos 20.',
      ],
      differences: {
        fairies: 'Cada Flitterific! vale 50 pontos.',
        frozen: 'Cada Verão do Olaf vale 50 pontos.',
        custom: 'Cada Curinga Embaralhar Mãos ou Curinga personalizável vale 40 pontos.',
      },
    },
    P2: {
      title: 'O primeiro a 500',
      text: 'É o jeito comum de contar. Quem vence uma rodada ganha pontos por cada carta que os outros ainda têm. Vence a partida o primeiro com 500 pontos ou mais. Uma mesa pode combinar outra meta.',
      differences: { modern: 'Aqui é opcional: se a mesa não escolher isso, uma rodada decide (P4).' },
    },
    P3: {
      title: 'O menor total',
      text: 'Uma mesa pode escolher isto no lugar de P2. Depois de cada rodada, cada um soma as cartas da própria mão ao próprio total. Quando alguém tem 500 pontos ou mais, a partida acaba, e o menor total vence. Uma mesa pode combinar outra meta.',
      rulings: ['Se vários têm o mesmo menor total, todos eles vencem.'],
      differences: { modern: 'A folha não tem esse jeito de contar, mas uma mesa pode escolhê-lo mesmo assim.' },
    },
    P4: {
      title: 'Uma só rodada',
      text: 'Uma mesa pode escolher jogar só uma rodada. Quem bate vence a partida, e ninguém ganha pontos.',
      differences: { modern: 'Aqui é o jeito comum de jogar, se a mesa não escolher outro.' },
    },
    P5: {
      title: 'Pontos de uma rodada travada',
      text: 'O que acontece depois de uma rodada travada (T5) depende da contagem. Com P2, ninguém ganha pontos. Com P3, cada um soma a própria mão ao total. Com P4, a rodada não tem vencedor e outra é dada pelo próximo (D3).',
      rulings: ['As folhas não conhecem rodadas travadas, então toda essa contagem é escolha nossa.'],
    },
    X1: {
      title: 'Dizer a outros o que jogar',
      text: 'Quem diz a outro o que jogar compra quatro cartas. O motor deixa a decisão para um árbitro; numa mesa on-line alguém acusa o jogador, as outras pessoas votam (os bots não), e é preciso maioria. Pode acontecer a qualquer momento até o fim da rodada, mas nunca com quem já bateu. Se o jogador está descartando pelo efeito de uma carta, tem de descartar mais esse tanto. Outras edições podem ter esta regra com “Punição por dica”.',
    },
    reverse_skips_with_two: {
      title: 'Inverter com dois jogadores',
      text: 'Quando só dois jogam, Inverter funciona como Pular: é sua vez de novo, e o sentido não muda. Se é a carta inicial, quem deu as cartas abre a rodada, e o sentido também não muda.',
      differences: { modern: 'Como carta inicial, Inverter não faz nada, como sempre aqui (S3).' },
    },
    stacking: {
      title: 'Responder a uma carta de compra com outra',
      text: 'Com “Mesmo tipo” você pode pôr um +2 sobre um +2 que atinge você, ou um Curinga +4 sobre outro; com “Qualquer tipo” pode misturar, mas um +2 sobre um Curinga +4 precisa da cor escolhida; “Não” é o jogo comum. As cartas se somam, e o primeiro que não responde compra todas e perde a vez. Se você responde com um Curinga +4, W2 decide como sempre se é honesto: uma carta da cor em vigor faz dele um blefe, mesmo que não pudesse responder. Dá para duvidar se a última jogada foi um Curinga +4, e só dessa carta: quem blefou compra a soma inteira; quem duvidou sem razão, a soma e mais duas. À carta que acaba a rodada não se pode responder assim, então o próximo jogador compra a soma inteira.',
      differences: { fairies: 'Uma Flitterific! bloqueia a soma inteira, mesmo que a última carta tenha acabado a rodada (F4).' },
    },
    seven_zero: {
      title: 'Setes trocam, zeros giram',
      text: 'Se você joga um 7, escolhe um jogador e os dois trocam de mão. Se joga um 0, todos passam a mão ao próximo no sentido do jogo. Se o 7 ou o 0 é sua última carta, você bateu e as mãos ficam onde estão. Você não precisa dizer “UNO” por uma mão que recebe, e ninguém pode ser pego por uma mão que já entregou. Se sua jogada deixou você com uma carta antes da troca, dá para dizer “UNO” com essa jogada.',
    },
    jump_in: {
      title: 'Corte',
      text: 'Se você tem uma carta exatamente da mesma cor e do mesmo número ou símbolo que a de cima, pode jogá-la mesmo que não seja sua vez; curingas ficam de fora. Só vale antes de o jogador da vez ter jogado ou comprado, e não enquanto alguém tem algo a decidir. O jogo segue do seu lugar como se fosse sua vez, e ninguém que devia um “UNO” pode mais ser pego (U3). Você também pode cortar em cima da sua própria carta.',
    },
    draw_to_match: {
      title: 'Comprar até uma carta servir',
      text: 'Se você compra, mesmo com uma carta que sirva na mão, continua comprando até vir uma carta que possa jogar, ou até não haver mais cartas. Um Curinga +4 acaba a busca mesmo que fosse blefe, a não ser com “Sem blefe”. De todas as suas cartas, só essa última pode ser jogada nessa vez; você também pode ficar com ela.',
    },
    force_play: {
      title: 'Quem pode jogar tem de jogar',
      text: 'Se você tem uma carta que pode jogar, não pode comprar. Se a carta comprada pode ser jogada, não pode ficar com ela. Para isto, um Curinga +4 só pode ser jogado se for honesto (W2). Você nunca é obrigado a acumular nem a bloquear.',
    },
    no_bluffing: {
      title: 'Sem blefe',
      text: 'O jogo recusa um Curinga +4 que não seja honesto (W2), também como resposta ao acumular. Como não há do que duvidar, ninguém duvida. Não combina com “Proibido duvidar”.',
      rulings: ['Na edição moderna, outros Curingas +4 na mão não contam aqui como carta que serve: senão, dois deles nunca poderiam ser jogados.'],
    },
    no_challenges: {
      title: 'Proibido duvidar',
      text: 'Você pode jogar um Curinga +4 tenha o que tiver na mão, e ninguém pode duvidar. Não combina com “Sem blefe”.',
    },
    hand_size: {
      title: 'Cartas para cada um',
      text: 'Vocês podem dar de 1 a 20 cartas a cada um; o comum são 7. O baralho tem de bastar para todas as mãos e uma carta inicial.',
    },
    uno_penalty: {
      title: 'Cartas por um “UNO” esquecido',
      text: 'Quem é pego compra esse número de cartas, de 0 a 20; o comum são 2 (U2). Com 0 ninguém fica em falta, então ninguém pode ser pego.',
    },
    suggestion_penalty: {
      title: 'Cartas por dizer a outros o que jogar',
      text: 'Quem diz a outro o que jogar compra esse número de cartas, de 0 a 20 (X1). Com 0 a regra não vale, o que é comum em todas as edições menos a original, onde são 4.',
    },
  },
  editions: {
    original: {
      summary: 'O jogo clássico, com 108 cartas em vermelho, amarelo, verde e azul. Uma partida dura várias rodadas, até alguém ter 500 pontos.',
      special: [
        'Não tem cartas especiais além das que todas as edições têm.',
        'Dizer a outro o que jogar custa quatro cartas [X1].',
        'A folha dela é a única que explica quando uma vez começa; nós a seguimos em todas as edições [U3].',
      ],
    },
    fairies: {
      summary: 'O baralho clássico mais quatro Flitterific!, curingas que protegem você de comprar: 112 cartas em vermelho, amarelo, verde e azul. Uma partida dura várias rodadas, até alguém ter 500 pontos.',
      special: [
        'Flitterific! bloqueia um +2 ou Curinga +4, e no mais funciona como um Curinga [F1, F2].',
        'Depois de cada +2 e Curinga +4, o jogo espera uma resposta [F1].',
        'Duvidar e bloquear se excluem [F3].',
        'Até a carta de compra que acaba uma rodada pode ser bloqueada [F4].',
        'Uma Flitterific! que fica na mão vale 50 pontos [P1].',
        'Como carta inicial, só deixa um jogador escolher a cor [S5], e não protege de um +2 inicial [S7].',
      ],
    },
    frozen: {
      summary: 'O baralho clássico em rosa, amarelo, verde e azul, mais quatro Verão do Olaf, curingas que podem levar outras cartas junto: 112 cartas. Uma partida dura várias rodadas, até alguém ter 500 pontos.',
      special: [
        'O rosa fica no lugar do vermelho [A4].',
        'Com um Verão do Olaf você se livra de até três cartas rosas ou três amarelas [O1].',
        'Cartas descartadas assim não têm efeito [O2], mas podem deixar você com uma carta ou nenhuma [O3].',
        'Um Verão do Olaf que fica na mão vale 50 pontos [P1].',
        'Como carta inicial, só deixa um jogador escolher a cor [S5].',
      ],
    },
    custom: {
      summary: 'O baralho clássico mais um Curinga Embaralhar Mãos e até três Curingas personalizáveis com regras de vocês: 112 cartas com todos eles, em vermelho, amarelo, verde e azul. Uma partida dura várias rodadas, até alguém ter 500 pontos.',
      special: [
        'O Curinga Embaralhar Mãos mistura as mãos de todos e as dá de novo [H1]; a cor é escolhida depois [H2].',
        'Os Curingas personalizáveis fazem o que a mesa combinou [C1, C2].',
        'Vocês escolhem antes quantos Curingas personalizáveis entram; o baralho tem então de 109 a 112 cartas [C1].',
        'Um efeito pode tirar a última carta de um jogador; esse jogador vence a rodada [C5].',
        'Um Curinga Embaralhar Mãos ou personalizável que fica na mão vale 40 pontos [P1].',
        'Como carta inicial, só deixam um jogador escolher a cor [S5].',
      ],
      rulings: ['A mesa também pode jogar sem nenhum Curinga personalizável.'],
    },
    modern: {
      summary: 'O jogo curto de hoje, com 112 cartas em vermelho, amarelo, verde e azul. Uma rodada decide, e contar pontos é opcional.',
      special: [
        'Quem dá as cartas é sorteado [D1].',
        'Uma carta inicial que não é número não faz nada: viram-se cartas até aparecer um número [S2, S3, S4, S5, S6].',
        'Para um Curinga +4 ser honesto, a mão também não pode ter curinga de nenhum tipo [W2].',
        'A própria folha diz que a cor continua valendo depois da dúvida [W7].',
        'Quem bate venceu [P4]; dá para jogar até 500 pontos [P2], mas a folha não conhece o menor total [P3].',
        'O baralho tem dois zeros de cada cor; as outras edições têm um.',
      ],
      rulings: ['A folha fala em 112 cartas, mas descreve só os tipos que formam as 108 comuns; tomamos as outras quatro por um segundo 0 de cada cor.'],
    },
  },
  starters: [
    { title: 'Continue cavando', text: 'O próximo jogador compra até vir uma carta da cor que você escolheu.' },
    { title: 'Domar a mesa', text: 'Todos os outros jogam fora cada curinga que têm.' },
    { title: 'Não deu? Três!', text: 'Se o próximo jogador não pode jogar nada, compra três cartas em vez de uma.' },
    { title: 'Mais uma vez', text: 'Você joga de novo na hora.' },
    { title: 'De volta a sete', text: 'O próximo jogador compra ou descarta até ter sete cartas.' },
    { title: 'Três para todos', text: 'Cada mão passa a ter três cartas, comprando ou descartando.' },
    { title: 'Cartas na mesa', text: 'Todas as mãos ficam abertas até ser sua vez de novo.' },
    {
      title: 'No palco',
      text: 'Se você faz a mesa rir, fica com uma só carta; se não, compra quatro.',
      texts: ['Conte à mesa sua melhor piada. Alguém riu?'],
    },
    {
      title: 'Braços duros',
      text: 'O próximo jogador fica com os cotovelos esticados até alguém dizer UNO.',
      texts: ['Cotovelos esticados até alguém dizer UNO'],
    },
    {
      title: 'Cocoricó',
      text: 'O próximo jogador canta como um galo, ou desiste e compra quatro.',
      texts: ['Cante como um galo, o melhor que puder'],
    },
  ],
};
