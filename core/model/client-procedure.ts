import type { Attempt } from "./attempt.ts";
import type { Exchange } from "./exchange.ts";
import type { GatewayHeaders } from "./headers.ts";
import type { Procedure, ProcedureName, Procedures } from "./procedure.ts";
import type { FileUpload } from "./stored-file.ts";
import type { Witness } from "./witness.ts";

/** The client's side of a procedure: how it asks, and how it is answered. */
export interface ClientProcedure<Name extends ProcedureName = ProcedureName> {
  readonly name: Name;
  /** The body is a form that is streamed on. */
  readonly takes?: "upload";
  /** Bytes of a file go one way or the other, however long that takes: only silence ends it (routing-config.md section 9). */
  readonly transfers?: true;
  /** Throws GatewayError("invalid_request", …, { param }) naming field, value and bound. */
  decode(asked: Asked): Procedures[Name]["request"];
  /** Absent where the answer is bytes. */
  readonly encode?: (answer: Procedures[Name]["answer"]) => Record<string, unknown>;
  /** The chat format whose vendors do it as the client asks for it: their calls go on as they came. */
  readonly whoSpeaks: string;
  /**
   * Clients of other formats that call the same path: the header they are known by, in lower case, and the chat format whose
   * vendors have their calls as they came, and they the answers.
   */
  readonly foreign?: Readonly<Record<string, string>>;
  /** How those vendors do it where it takes several calls. */
  readonly usual?: Procedure<Name>;
  /** Who looks at the answer while the client is given it, where somebody wants to know what it cost. */
  readonly witness?: (exchange: Exchange, attempt: Attempt) => Witness | undefined;
}

export type AnyClientProcedure = { readonly [Name in ProcedureName]: ClientProcedure<Name> }[ProcedureName];

/** What a client sent. */
export interface Asked {
  /** Whether it is the gateway itself that is asked, and not a vendor. */
  readonly itself: boolean;
  /** Path and query as received. */
  readonly url: string;
  /** The body, as a config shaped it; undefined without one. */
  readonly json: unknown;
  readonly gatewayHeaders: GatewayHeaders;
  /** Throws where the body is no form, or there is none. */
  upload(said: SaidOfFile): FileUpload;
}

/** What headers say of a file. */
export interface SaidOfFile {
  readonly size: number | undefined;
  readonly purpose: string | undefined;
  /** The header for a purpose that the form has behind the file. */
  readonly purposeHeader: string;
}
