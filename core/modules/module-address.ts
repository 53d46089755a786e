/** What the command that runs the gateway knows about modules: some of them are built (core/modules/modules.mjs). */
interface Modules {
  addressOf(url: string): Promise<string>;
}

/**
 * The address a module is to be imported from, by the address of its source: that of its build where the gateway runs from
 * one. TypeScript can be imported once this has resolved.
 */
export async function addressOf(url: string): Promise<string> {
  const modules = (globalThis as Partial<Record<symbol, Modules>>)[Symbol.for("sluice.modules")];
  return modules ? modules.addressOf(url) : url;
}
