import { backslash, quote } from "../../../core/index.ts";
import type { Bounds } from "./bounds.ts";
import { jsonOf, jsonOfItems, textOf } from "./values.ts";

/** Where a rendering is written to. */
export interface Sink {
  /** A text of the template. */
  text(text: string): void;
  /** What a variable stands for; undefined where nothing does. */
  value(value: unknown): void;
  /** Whether a partial is rendered apart, and written as a value. */
  readonly quoted: boolean;
  readonly written: string;
}

/** Plain text. */
export class TextSink implements Sink {
  readonly quoted = false;
  readonly #bounds: Bounds;
  #written = "";

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  text(text: string): void {
    this.#bounds.wrote(text.length);
    this.#written += text;
  }

  value(value: unknown): void {
    this.text(textOf(value));
  }

  get written(): string {
    return this.#written;
  }
}

/**
 * JSON in the making (prompts.md section 3.3): inside a string literal values are escaped, outside of one they are JSON
 * themselves. A backslash right before a value is one of the text, or a value could end the literal it stands in.
 */
export class JsonSink implements Sink {
  readonly #bounds: Bounds;
  #written = "";
  #quoted = false;
  #escaping = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get quoted(): boolean {
    return this.#quoted;
  }

  get written(): string {
    return this.#written;
  }

  text(text: string): void {
    this.#write(text);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#escaping) this.#escaping = false;
      else if (code === quote) this.#quoted = !this.#quoted;
      else if (code === backslash) this.#escaping = this.#quoted;
    }
  }

  value(value: unknown): void {
    if (this.#quoted) {
      if (this.#escaping) this.#write("\\");
      this.#escaping = false;
      this.#write(JSON.stringify(textOf(value)).slice(1, -1));
    } else if (typeof value === "string") this.text(value);
    else if (Array.isArray(value)) this.#write(jsonOfItems(value));
    else if (value !== null) this.#write(jsonOf(value) ?? "");
  }

  #write(text: string): void {
    this.#bounds.wrote(text.length);
    this.#written += text;
  }
}
