import { GatewayError } from "../../core/index.ts";

/** What a manager holds in one place: a text, or members by name. It is never printed. */
export class SecretContent {
  readonly #content: string | Readonly<Record<string, unknown>>;
  /** Members that were asked for: a text is parsed once. */
  readonly #values = new Map<string | undefined, string>();

  constructor(content: string | Readonly<Record<string, unknown>>) {
    this.#content = content;
  }

  /**
   * A member, which a text holds as JSON. Without a key: the text, the value of an only member, or the JSON of several.
   * Throws where there is no such member.
   */
  value(key: string | undefined): string {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = key === undefined ? this.#whole() : this.#member(key);
    // A vendor would be asked without a credential, and say that it is wrong.
    if (value.trim() === "") throw new GatewayError("secret_unresolved", "It is empty.");
    this.#values.set(key, value);
    return value;
  }

  #whole(): string {
    if (typeof this.#content === "string") return this.#content;
    const members = Object.values(this.#content);
    if (members.length === 0) throw new GatewayError("secret_unresolved", "It has no members.");
    return asText(members.length === 1 ? members[0] : this.#content);
  }

  #member(key: string): string {
    const members = typeof this.#content === "string" ? parsed(this.#content) : this.#content;
    if (members && Object.hasOwn(members, key) && members[key] !== null) return asText(members[key]);
    throw new GatewayError("secret_unresolved", members ? `It has no member "${key}".` : "It is no JSON object.");
  }
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
