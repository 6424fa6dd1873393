/**
 * Avatars, in a square of 100 by 100. A drawing is the color of the ground and then layers, each a tone, a space and
 * a path. After the tone, `*` stands for drawn again in the mirror, `~` for a line instead of an area. In a path,
 * `@x,y,r` and `@x,y,rx,ry` stand for a disc.
 */
const dark = '#2b2430';
const cream = '#fff7ea';
const eyes = (y = 54, x = 36, r = 4.5) => [`${dark}* @${x},${y},${r}`, `${cream}* @${x + 1.5},${y - 1.6},${r * 0.32}`];

const drawings = {
  fox: [
    '#2f6b5e',
    '#d9692c* M17 12L47 36L20 56Z',
    '#7a2f16* M22 22L36 35L24 45Z',
    '#e98239 M14 47Q50 12 86 47Q80 76 50 92Q20 76 14 47Z',
    `${cream}* M14 48Q42 56 50 92Q20 76 14 48Z`,
    ...eyes(56, 35),
    `${dark} @50,87,6.5,5.5`,
  ],
  cat: [
    '#e8b04b',
    '#4b4a5c* M20 14L47 34L18 54Z',
    '#e7a1a5* M25 25L37 34L24 44Z',
    '#5c5b70 @50,58,35,30',
    '#bfe07a* @36,54,8,7.5',
    `${dark}* @36,54,2.6,6.5`,
    '#f3a3a8 M44 65H56L50 71Z',
    `${dark}~ M50 71Q46 78 40 75M50 71Q54 78 60 75`,
    `${cream}*~ M22 66L8 63M22 72L9 75`,
  ],
  bear: [
    '#7fb5c9',
    '#7a4a2b* @24,30,13',
    '#c08a5e* @24,30,7',
    '#8f5a35 @50,56,35,32',
    '#e0b98c @50,68,17,14',
    ...eyes(51, 36),
    `${dark} @50,62,6.5,4.5`,
    `${dark}~ M50 66V72Q45 77 41 74M50 72Q55 77 59 74`,
  ],
  panda: [
    '#7fa35c',
    `${dark}* @22,27,13`,
    `${cream} @50,56,36,32`,
    `${dark}* M26 58Q24 46 36 43Q44 44 42 54Q36 64 26 58Z`,
    `${cream}* @35,52,4`,
    `${dark} @50,66,6,4.5`,
    `${dark}~ M50 69V73Q45 78 41 75M50 73Q55 78 59 75`,
  ],
  koala: [
    '#b58ac0',
    '#8c96a6* @18,42,17',
    '#f0c8cf* @19,43,10',
    '#9fa9b8 @50,56,31,30',
    ...eyes(51, 36),
    `${dark} M42 56Q42 48 50 48T58 56V66Q58 74 50 74T42 66Z`,
    `${dark}~ M42 79Q50 84 58 79`,
  ],
  rabbit: [
    '#5d8f7b',
    '#efe3d6* @35,26,9,24',
    '#f0b5b5* @35,27,4.5,17',
    '#f8efe4 @50,64,29,27',
    ...eyes(60, 38),
    '#f4b8b8* @30,70,5.5,4',
    '#e08a8f M45 68H55L50 73Z',
    `${dark}~ M50 73V77Q46 81 42 78M50 77Q54 81 58 78`,
  ],
  owl: [
    '#3f4a78',
    '#8a5a3a* M16 14Q36 22 48 30L20 48Z',
    '#a06c45 @50,58,34,36',
    '#d9b48a @50,76,22,20',
    `${cream}* @35,48,14`,
    `${dark}* @37,48,7`,
    `${cream}* @39,45,2.4`,
    '#efa63c M44 56H56L50 68Z',
    '#a06c45*~ M42 76L46 80L50 76M36 84L40 88L44 84',
  ],
  frog: [
    '#f0c34f',
    '#4f9a4a* @29,30,15',
    '#5fae57 @50,60,37,28',
    `${cream}* @29,29,10`,
    `${dark}* @30,29,5`,
    `${dark}~ M24 62Q50 84 76 62`,
    '#f29a8a* @24,66,6,4',
    '#2f6b35* @46,52,1.8',
  ],
  penguin: [
    '#a9d3e6',
    '#2c3550 @50,58,35,38',
    `${cream} M50 40Q62 26 74 38Q84 56 70 78Q50 94 30 78Q16 56 26 38Q38 26 50 40Z`,
    ...eyes(52, 37),
    '#f0a03c M40 60Q50 54 60 60Q56 70 50 72Q44 70 40 60Z',
    '#f5b5b0* @29,64,5.5,4',
  ],
  pig: [
    '#8fc0a0',
    '#e2848f* M18 22Q34 18 42 32L22 50Z',
    '#f2a5ad @50,58,35,31',
    '#e2848f @50,66,17,12.5',
    '#a84a58* @44,66,3,5',
    ...eyes(49, 35),
    `${'#a84a58'}~ M42 82Q50 86 58 82`,
  ],
  mouse: [
    '#c9785f',
    '#a3a0b0* @22,30,18',
    '#f0c3c6* @22,30,11.5',
    '#b8b5c4 M18 54Q20 30 50 30T82 54Q76 78 50 90Q24 78 18 54Z',
    ...eyes(54, 38),
    '#e2848f @50,84,6.5,5.5',
    `${dark}*~ M36 76L16 72M37 80L18 82`,
  ],
  lion: [
    '#5a86b5',
    '#b8622a M50 8L60 17L73 13L77 26L90 32L85 45L92 56L81 64L80 78L66 78L58 90L50 84L42 90L34 78L20 78L19 64L8 56L15 45L10 32L23 26L27 13L40 17Z',
    '#f0b955 @50,53,28,27',
    ...eyes(48, 39),
    `${cream}* @44,64,8.5,7.5`,
    '#7a3b22 M44 56H56L50 63Z',
    '#7a3b22~ M50 63V68',
  ],
  tiger: [
    '#4c8a83',
    '#e58a33* @24,28,12',
    `${dark}* @24,28,6`,
    '#f09a3e @50,56,36,33',
    `${dark} M46 23H54L50 40Z`,
    `${dark}* M34 26L42 25L42 36ZM14 52L28 55L15 60ZM17 66L30 66L21 73Z`,
    `${cream}* @42,70,11,9`,
    ...eyes(52, 36),
    '#c4566a M43 60H57L50 67Z',
    `${dark}~ M50 67V72Q46 76 42 74M50 72Q54 76 58 74`,
  ],
  chick: [
    '#6a9bd0',
    '#f5c945 M50 26Q42 8 36 16Q46 18 48 28ZM50 26Q54 6 62 12Q54 16 52 28Z',
    '#f8d45a @50,58,34,33',
    '#edbd38* M17 58Q12 72 24 78Q28 68 24 56Z',
    ...eyes(52, 38),
    '#ea8a35 M40 60Q50 54 60 60L50 71Z',
    '#f5a58a* @29,63,5,4',
  ],
  whale: [
    '#f2cf9c',
    '#3b6ea5 M8 58Q12 32 44 32Q70 33 76 54Q84 54 84 42Q74 40 72 28Q82 26 88 34Q90 24 98 26Q98 42 92 46Q94 86 48 86Q10 86 8 58Z',
    '#dcebf5 M9 62Q34 72 62 66Q60 84 46 86Q12 84 9 62Z',
    `${dark} @26,56,4.5`,
    `${cream} @27.4,54.4,1.5`,
    '#6fb1d6~ M42 28V18Q42 11 34 13M42 18Q42 11 50 13',
  ],
  octopus: [
    '#f0b8a0',
    '#8f4a86 M20 50Q20 14 50 14T80 50V64Q94 62 90 78Q80 72 74 82Q66 92 60 80Q54 92 50 82Q46 92 40 80Q34 92 26 82Q20 72 10 78Q6 62 20 64Z',
    `${cream}* @38,46,8.5`,
    `${dark}* @39.5,47,4.5`,
    `${dark}~ M43 62Q50 68 57 62`,
    '#b876ac* @32,26,3.5',
    '#b876ac @50,22,3',
  ],
  turtle: [
    '#9cc9d8',
    '#6fa653 M20 78H34V88H22ZM62 78H76V88H62Z',
    '#7fb55f M70 66Q72 46 84 46Q96 48 94 62Q88 74 70 76Z',
    '#4d7a3a M6 78Q8 34 44 34T82 78Z',
    '#86b860 M32 44L44 39L56 44L58 58L44 64L30 58ZM14 74Q14 62 26 60L38 67V74ZM74 74Q74 62 62 60L50 67V74Z',
    `${dark} @85,57,3.6`,
    `${cream} @86,56,1.2`,
    '#3f6a2e~ M86 68Q90 67 92 64',
  ],
  bee: [
    '#7ab38f',
    '#e4f1f5* M48 44Q26 6 12 24Q8 46 46 52Z',
    '#f5c23c @50,62,25,29',
    `${dark} M27 52H73L75 61H25ZM26 71H74L69 80H31Z`,
    '#f5c23c @50,42,18,15',
    `${dark}* @43,41,4`,
    `${dark}~ M45 49Q50 53 55 49`,
    `${dark}*~ M43 28Q40 18 34 16`,
  ],
  ladybug: [
    '#b9d27c',
    `${dark}*~ M42 24Q38 12 30 12`,
    `${dark} @50,32,20,16`,
    '#c93a2e @50,60,33,31',
    `${dark}~ M50 30V91`,
    `${dark}* @34,50,6.5M36 77A6 6 0 1 0 36 65A6 6 0 1 0 36 77`,
    `${cream}* @42,27,4.2`,
  ],
  hedgehog: [
    '#d8a15c',
    '#5f4636 M50 10L58 18L68 13L72 24L83 23L83 35L93 39L88 50L96 58L88 66L91 77L80 80H20L9 77L12 66L4 58L12 50L7 39L17 35L17 23L28 24L32 13L42 18Z',
    '#f0d3ac M22 60Q22 40 38 40Q46 40 50 48Q54 40 62 40Q78 40 78 60Q76 84 50 90Q24 84 22 60Z',
    ...eyes(58, 38),
    `${dark} @50,72,6.5,5.5`,
    '#eba58e* @31,70,5,3.6',
  ],
  cactus: [
    '#f0b48a',
    '#b5563a M30 74H70L66 94H34Z',
    '#4c8f5c M36 76V30Q36 14 50 14T64 30V50H72V38Q72 32 78 32T84 38V54Q84 62 76 62H64V76Z',
    '#4c8f5c M36 66H24Q16 66 16 58V48Q16 42 22 42T28 48V54H36Z',
    `${dark}* @44,42,3.4`,
    `${dark}~ M45 51Q50 55 55 51`,
    '#e86a8a @50,13,6M44 8L56 18M44 18L56 8',
  ],
  mushroom: [
    '#6c87b8',
    '#f3e6d2 M36 54H64Q66 72 70 82Q66 92 50 92T30 82Q34 72 36 54Z',
    '#c4392f M10 56Q12 16 50 16T90 56Q90 62 82 62H18Q10 62 10 56Z',
    `${cream} @50,30,8M26 52A7 7 0 1 0 26 38A7 7 0 1 0 26 52M74 52A7 7 0 1 0 74 38A7 7 0 1 0 74 52`,
    `${dark}* @43,72,3.4`,
    `${dark}~ M45 80Q50 84 55 80`,
  ],
  robot: [
    '#d9c07a',
    '#5b6b7a~ M50 28V16',
    '#e0674a @50,13,5',
    '#5b6b7a* M8 50H18V68H8Z',
    '#7d90a1 M26 26H74Q84 26 84 36V76Q84 86 74 86H26Q16 86 16 76V36Q16 26 26 26Z',
    '#22303c M30 38H70Q76 38 76 44V58Q76 64 70 64H30Q24 64 24 58V44Q24 38 30 38Z',
    '#8fe3d0* @38,51,6',
    `${cream}~ M36 75H64`,
  ],
  ghost: [
    '#574a80',
    '#eef0fa M20 90V50Q20 14 50 14T80 50V90L70 81L60 90L50 81L40 90L30 81Z',
    `${dark}* @39,48,5,7`,
    `${dark} @50,63,5,6`,
    '#f2b8c6* @30,58,5,3.6',
  ],
} as const;

/** The id of an avatar. */
export type AvatarLook = keyof typeof drawings;

/** The avatars people can choose from. */
export const avatars = Object.keys(drawings) as readonly AvatarLook[];

/** The avatar of somebody who has chosen none: always the same for the same name. */
export function avatarFor(name: string): AvatarLook {
  const sum = [...name].reduce((hash, char) => (hash * 31 + char.codePointAt(0)!) % 1_000_003, 7);
  return avatars[sum % avatars.length]!;
}

/** A layer of an avatar, ready to be drawn. */
export interface Layer {
  tone: string;
  path: string;
  mirrored: boolean;
  line: boolean;
}

function disc(_: string, x: string, y: string, rx: string, ry = rx): string {
  return `M${Number(x) - Number(rx)} ${y}a${rx} ${ry} 0 1 1 0 .01Z`;
}

function layer(text: string): Layer {
  const [, tone = '', flags = '', path = ''] = /^([^ *~]+)([*~]*) (.*)$/.exec(text) ?? [];
  return {
    tone,
    path: path.replace(/@([\d.]+),([\d.]+),([\d.]+)(?:,([\d.]+))?/g, disc),
    mirrored: flags.includes('*'),
    line: flags.includes('~'),
  };
}

/** The ground and the layers of an avatar; of the first one if there is none with that id. */
export function drawingOf(look: string): { ground: string; layers: Layer[] } {
  const [ground, ...layers] = drawings[Object.hasOwn(drawings, look) ? (look as AvatarLook) : 'fox'];
  return { ground, layers: layers.map(layer) };
}
