import { expect } from "vitest";

/** What is tried on every operation where it applies. */
export const kinds = [
  "success",
  "missing field",
  "bound",
  "wrong type",
  "unknown id",
  "foreign workspace",
  "missing scope",
  "conflict",
] as const;
export type Kind = (typeof kinds)[number];

/** How an operation refuses (control-plane.md section 1.5). Without `param` the place of the change is the one expected. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Null where the specification names none. */
  readonly param?: string | null;
}

/**
 * One change to a valid call, and what it comes to where that is not the usual thing. A place is a path into the body
 * (`users[0].role`; "" is the whole of it), or a name in the query (`?page_size`).
 */
export type Change = readonly [place: string, value: unknown, refused?: Partial<Refusal>];

/** A call that is right. In all its values `$name` is the record `name` (`Thing`), `$name.member` a member of it. */
export interface Valid {
  /** The scope it takes: `a`, `a or b`, `a and b`; absent where no credential is asked for. */
  readonly scope?: string;
  /** Scopes its caller holds besides, because it gives them away. */
  readonly holding?: readonly string[];
  /** Whose key calls, where the scope could be held by others who may not make this very call. */
  readonly by?: "organisation" | "workspace" | undefined;
  /** What the parameters of the path are. */
  readonly at?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A part of its answer. */
  readonly answer: unknown;
  /** The record a list shows, and does not show to another workspace. */
  readonly shows?: string;
}

/** An operation: a call that is right, and what each change of it comes to. Changes are 400 AB01 unless they say otherwise. */
export interface Cases extends Valid {
  /** Other calls that are right. */
  readonly also?: readonly Partial<Valid>[];
  /** What it cannot do without. */
  readonly missing?: readonly (string | readonly [place: string, refused: Partial<Refusal>])[];
  readonly bound?: readonly Change[];
  readonly type?: readonly Change[];
  /** Unknown ids besides those of the path (derived) and of the records the valid call refers to (derived, 404 AB02). */
  readonly unknown?: readonly Change[];
  /** Clashes with a record that is there: 409 AB07 unless they say otherwise. */
  readonly conflict?: readonly Change[];
  /** What the same call again comes to, where that is a clash: 409 AB07 unless it says otherwise. */
  readonly twice?: Partial<Refusal>;
  /** What its 400 says besides. */
  readonly says?: object;
  /** Lists in pages: names and sizes of control-plane.md section 1.3. `zero` is for those where 0 is the usual size. */
  readonly paged?: "current_page page_size" | "currentPage pageSize" | "page page_size" | "zero";
  /** What references in the valid call come to where that is not 404 AB02; "any" where they need not be there. */
  readonly references?: Readonly<Record<string, Partial<Refusal> | "any">>;
  /** Places where workspaces are named that are not the caller's own. */
  readonly otherWorkspaces?: readonly string[];
  /** What a key comes to that is of the wrong sort, where that is not 403 AB03. */
  readonly wrongKey?: Partial<Refusal>;
  /** What `{}` comes to, where a PUT asks for something (control-plane.md section 1.6). */
  readonly empty?: Partial<Refusal>;
}

/** A record that calls need: made by the API itself, for every case anew. */
export interface Thing {
  /** `POST /collections`, or how else it comes about. */
  readonly make: string | ((stage: Making) => Promise<Readonly<Record<string, unknown>>>);
  readonly body?: unknown;
  /** Whose key makes it. */
  readonly by?: "workspace";
  /** Where its answer has what others call it; `id`. */
  readonly ref?: string;
  /** The organisation's: no workspace owns it, and each may name it. */
  readonly everywhere?: true;
  /** What asking for one that is unknown or somebody else's comes to (control-plane.md section 1.5); 404 AB08. */
  readonly unseen?: 403;
}

/** What a thing is made with. */
export interface Making {
  /** Calls with every scope, and gives the answer, which is a success. */
  call(method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>>;
  /** A value with its `$names` replaced. */
  filled<Value>(value: Value): Promise<Value>;
}

export interface Family {
  readonly things: Readonly<Record<string, Thing>>;
  /** By method and path, as `operations.ts` names them. */
  readonly operations: Readonly<Record<string, Cases>>;
}

/** A text of some length, for bounds. */
export const text = (length: number): string => "x".repeat(length);

/** Several changes of one place. */
export const each = (place: string, ...values: readonly unknown[]): Change[] => values.map((value) => [place, value]);

/** Parts of answers. */
export const aNumber: unknown = expect.any(Number);
export const aText: unknown = expect.stringMatching(/./);
export const anId: unknown = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);
/** A slug made of a name: the beginning, and six hexadecimal digits (control-plane.md section 1.2). */
export const slugOf = (beginning: string): unknown => expect.stringMatching(new RegExp(`^${beginning}-[0-9a-f]{6}$`));
