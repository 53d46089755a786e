import { Bounds } from "./bounds.ts";
import { type Frame, lookUp } from "./lookup.ts";
import type { Name, Node, Template } from "./parse.ts";
import { type Sink, TextSink } from "./sinks.ts";
import { type Data, isObject, isTruthy, ownValue } from "./values.ts";

/** The partials a template uses, each with those it uses itself. There is no cycle in them. */
export interface Links {
  /** By reference, as written. */
  readonly partials: ReadonlyMap<string, Linked>;
  /** By name; those the caller did not supply are not in it. */
  readonly supplied: ReadonlyMap<string, Linked>;
}

export interface Linked {
  readonly template: Template;
  readonly links: Links;
}

/** One rendering: of all templates that make up a request. */
export class Rendering {
  /** Names of tags that were reached and stand for nothing. */
  readonly missing = new Set<string>();
  readonly bounds = new Bounds();
  readonly #root: Frame;

  constructor(variables: Data) {
    this.#root = { value: variables };
  }

  text(linked: Linked): string {
    return this.into(new TextSink(this.bounds), linked);
  }

  /** Renders into a sink, and says what it holds then. */
  into(sink: Sink, { template, links }: Linked): string {
    this.#nodes(template.nodes, this.#root, sink, links);
    return sink.written;
  }

  #nodes(nodes: readonly Node[], frame: Frame, sink: Sink, links: Links): void {
    for (const node of nodes) {
      this.bounds.step();
      switch (node.kind) {
        case "text":
          sink.text(node.text);
          break;
        case "variable":
          sink.value(this.#required(node.name, frame));
          break;
        case "section":
          this.#section(node, frame, sink, links);
          break;
        case "partial":
          this.#partial(links.partials.get(node.ref), frame, sink);
          break;
        case "supplied": {
          const supplied = links.supplied.get(node.name);
          if (!supplied) this.missing.add(node.name);
          this.#partial(supplied, frame, sink);
        }
      }
    }
  }

  #required(name: Name, frame: Frame): unknown {
    const value = lookUp(name, frame, this.bounds.step);
    if (value === undefined) this.missing.add(name.text);
    return value;
  }

  #section({ name, inverted, nodes }: Node & { kind: "section" }, frame: Frame, sink: Sink, links: Links): void {
    const value = lookUp(name, frame, this.bounds.step);
    if (isTruthy(value) === inverted) return;
    if (inverted) this.#nodes(nodes, frame, sink, links);
    else if (Array.isArray(value))
      for (let at = 0; at < value.length; at++) {
        this.bounds.step();
        this.#nodes(nodes, { value: ownValue(value, at), outer: frame }, sink, links);
      }
    else this.#nodes(nodes, isObject(value) ? { value, outer: frame } : frame, sink, links);
  }

  /** Inside a string literal a partial is a text as any other value: it is rendered first, and then escaped. */
  #partial(partial: Linked | undefined, frame: Frame, sink: Sink): void {
    const { template, links } = partial ?? nothing;
    if (!sink.quoted) return this.#nodes(template.nodes, frame, sink, links);
    const apart = new TextSink(this.bounds);
    this.#nodes(template.nodes, frame, apart, links);
    this.bounds.wrote(-apart.written.length);
    sink.value(apart.written);
  }
}

const nothing: Linked = {
  template: { nodes: [], partials: new Set(), supplied: new Set() },
  links: { partials: new Map(), supplied: new Map() },
};
