import { parse, type Template } from "./parse.ts";
import { because } from "./refusals.ts";
import type { Linked, Links } from "./render.ts";
import { type Data, ownValue, textOf } from "./values.ts";

/** A saved partial, in the version a reference means. `Owner` is whose text it is: it sees what its owner sees. */
export interface SavedPartial<Owner> {
  /** Of the version. */
  readonly id: string;
  readonly slug: string;
  readonly template: Template;
  readonly owner: Owner;
}

export interface LinkInput<Owner> {
  readonly variables: Data;
  /** Whose the texts are that come in variables. */
  readonly caller: Owner;
  /** Rejects where there is none that the owner of the text may use. */
  readonly find: (reference: string, owner: Owner) => Promise<SavedPartial<Owner>>;
}

/** Partials inside partials. */
const deepestPartial = 10;

/** References to saved partials in all texts of a prompt: each has to be looked up. */
export const mostReferences = 1000;

type Uses = Pick<Template, "partials" | "supplied">;

/**
 * Finds the partials that a text of `owner` uses, and those that these use. Rejects with `partial_cycle`, naming who
 * includes whom, and with whatever `find` rejects with.
 */
export const link = async <Owner>(uses: Uses, owner: Owner, input: LinkInput<Owner>): Promise<Links> =>
  (await new Linking(input).links(uses, owner, [])).links;

interface Step {
  readonly key: string;
  readonly name: string;
}

interface Found {
  readonly linked: Linked;
  /** Levels of partials, itself included. */
  readonly height: number;
}

class Linking<Owner> {
  readonly #input: LinkInput<Owner>;
  readonly #found = new Map<string, Found>();
  #references = 0;

  constructor(input: LinkInput<Owner>) {
    this.#input = input;
  }

  async links(uses: Uses, owner: Owner, path: readonly Step[]): Promise<{ links: Links; height: number }> {
    let height = 0;
    const partials = new Map<string, Linked>();
    const supplied = new Map<string, Linked>();
    this.#references += uses.partials.size;
    if (this.#references > mostReferences)
      throw because("prompt_too_large", `This prompt refers to more than ${mostReferences} partials.`);
    for (const reference of uses.partials) {
      const saved = await this.#input.find(reference, owner);
      const found = await this.#enter({ key: saved.id, name: saved.slug }, saved.template, saved.owner, path);
      partials.set(reference, found.linked);
      height = Math.max(height, found.height);
    }
    for (const name of uses.supplied) {
      const value = ownValue(this.#input.variables, name);
      if (value === undefined) continue;
      const place = `variables["${name}"]`;
      const template = parse(textOf(value), { place, reason: "prompt_variables_invalid" });
      const found = await this.#enter({ key: `>>${name}`, name: `>${name}` }, template, this.#input.caller, path);
      supplied.set(name, found.linked);
      height = Math.max(height, found.height);
    }
    return { links: { partials, supplied }, height };
  }

  async #enter(step: Step, template: Template, owner: Owner, path: readonly Step[]): Promise<Found> {
    const again = path.findIndex(({ key }) => key === step.key);
    if (again >= 0) throw cycle([...path.slice(again), step]);
    const found = this.#found.get(step.key) ?? (await this.#read(step, template, owner, path));
    if (path.length + found.height > deepestPartial) throw tooDeep([...path, step]);
    return found;
  }

  async #read(step: Step, template: Template, owner: Owner, path: readonly Step[]): Promise<Found> {
    if (path.length === deepestPartial) throw tooDeep([...path, step]);
    const { links, height } = await this.links(template, owner, [...path, step]);
    const found = { linked: { template, links }, height: height + 1 };
    this.#found.set(step.key, found);
    return found;
  }
}

const chain = (path: readonly Step[]): string => path.map(({ name }) => name).join(" → ");

const cycle = (path: readonly Step[]) =>
  because("partial_cycle", `Partials include each other: ${chain(path)}.`, "string");

const tooDeep = (path: readonly Step[]) =>
  because("partial_cycle", `Partials are nested more than ${deepestPartial} deep: ${chain(path)}.`, "string");
