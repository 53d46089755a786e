/** Globals that are asked for several times with every request, and that Node has a getter for, so that they can be made late. */
const names = ["Buffer", "performance", "process"] as const;

/** Makes them plain values: V8 calls a getter of the global object each time, and reads a value in a third of that, 5 to 12 ns less. */
export function keepPlainGlobals(): void {
  for (const name of names) {
    const { enumerable = false } = Object.getOwnPropertyDescriptor(globalThis, name) ?? {};
    Object.defineProperty(globalThis, name, {
      value: globalThis[name],
      writable: true,
      configurable: true,
      enumerable,
    });
  }
}
