// Asks the compiled module what it reads, line by line, and writes the answers: node wasm.mjs MODULE
// A line is JSON: { now, random: 64 hex digits, ask: text }; with `times`, it is asked so often and answered with milliseconds.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2])));

function ask({ now, random, ask }) {
  const question = Buffer.concat([Buffer.from(random, 'hex'), Buffer.from(ask)]);
  const room = exports.unum_room(question.length);
  new Uint8Array(exports.memory.buffer).set(question, room);
  const length = exports.unum_ask(now);
  return Buffer.from(exports.memory.buffer, exports.unum_answer(), length).toString();
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.times === undefined) {
    process.stdout.write(`${ask(asked)}\n`);
    continue;
  }
  const begin = performance.now();
  for (let time = 0; time < asked.times; time++) ask(asked);
  process.stdout.write(`${performance.now() - begin}\n`);
}
