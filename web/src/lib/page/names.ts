/** First halves of a name for people who have not chosen one: short, and at home in many languages. */
const FIRST = [
  'Alex', 'Ami', 'Andrea', 'Ari', 'Bela', 'Bo', 'Cas', 'Charlie', 'Dani', 'Deniz', 'Eli', 'Emery', 'Fenn', 'Gale', 'Iris', 'Jo',
  'Jona', 'Jules', 'Kai', 'Kim', 'Kit', 'Lee', 'Lio', 'Lou', 'Luca', 'Maxi', 'Mika', 'Milo', 'Nia', 'Nico', 'Noa', 'Nuri',
  'Ola', 'Pau', 'Quim', 'Ray', 'Remy', 'Robin', 'Sam', 'Sasha', 'Sol', 'Tali', 'Toni', 'Uli', 'Vali', 'Yael', 'Yuri', 'Zoe',
];
/** Second halves: stars, stones and winds. */
const SECOND = [
  'Agate', 'Altair', 'Amber', 'Antares', 'Atlas', 'Aurora', 'Boreal', 'Calypso', 'Capella', 'Castor', 'Cobalt', 'Comet', 'Coral',
  'Corona', 'Deneb', 'Echo', 'Electra', 'Elara', 'Galaxy', 'Halo', 'Helio', 'Indigo', 'Io', 'Jade', 'Kepler', 'Lumen', 'Luna',
  'Lyra', 'Magma', 'Mira', 'Mistral', 'Nebula', 'Nova', 'Onyx', 'Opal', 'Orion', 'Pollux', 'Polaris', 'Pulsar', 'Quartz', 'Rigel',
  'Safir', 'Sierra', 'Sirius', 'Topaz', 'Vega', 'Vesta', 'Zephyr',
];

/** A name to begin with. Of ten people who take what they get, two have the same once in fifty tables. */
export function someName(chance: () => number = Math.random): string {
  const pick = (from: string[]) => from[Math.floor(chance() * from.length)]!;
  return `${pick(FIRST)} ${pick(SECOND)}`;
}

/** How many names there are. */
export const NAME_COUNT = new Set(FIRST).size * new Set(SECOND).size;
