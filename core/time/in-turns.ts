import { turn } from "./turn.ts";

/** Made in one turn of the event loop. */
const perTurn = 64;

/** What is made of each of many; between some of them others have their turn. */
export async function madeInTurns<From, To>(all: readonly From[], make: (one: From) => To): Promise<To[]> {
  const made: To[] = [];
  for (const one of all) {
    made.push(make(one));
    if (made.length % perTurn === 0) await turn();
  }
  return made;
}
