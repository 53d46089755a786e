// Counts tokens beside the event loop: its tables take 200 ms to load, and a long text takes as long to count.
import { parentPort } from "node:worker_threads";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** A run without white space, or of nothing else, takes time that grows with its square: it is counted in pieces. */
const longRun = /(\S{1000}|\s{1000})/;
/** What looks like a special token in a text is text. */
const options = { disallowedSpecial: new Set() };

const count = (text) => {
  let total = 0;
  for (const piece of text.length < 1000 ? [text] : text.split(longRun))
    if (piece) total += countTokens(piece, options);
  return total;
};

parentPort.on("message", ({ number, groups }) => {
  const counts = groups.map((texts) => texts.reduce((sum, text) => sum + count(text), 0));
  parentPort.postMessage({ number, counts });
});
