import { keepFreedMemory } from "./freed-memory.ts";
import { keepPlainGlobals } from "./plain-globals.ts";
import { keepTickShape } from "./tick-shape.ts";
import { tuneV8 } from "./v8-flags.ts";

/** Makes a process ready to serve, before anything else happens in it: what Node, V8 and the C library are told for that. */
export function tuneProcess(): void {
  keepTickShape();
  keepPlainGlobals();
  tuneV8();
  keepFreedMemory();
}
