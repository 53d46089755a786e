import type { ClientNames } from "../../codec-kit/tools/tool-names.ts";
import type { Aside } from "../../model/answer.ts";
import type { Format } from "../../model/format.ts";
import type { Headers } from "../../model/headers.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";

/** How one request is said to one provider: the body, and the formats on both sides. */
export interface Prepared {
  readonly spec: OperationSpec;
  readonly upstream: Format;
  readonly client: Format;
  /** Request and answer are read and written: the formats are two, or the vendor does not know all of the one. */
  readonly translated: boolean;
  /** Below the base URL. */
  readonly path: string;
  readonly body: Buffer;
  readonly model: string;
  readonly stream: boolean;
  /** What the client would have had to write for all that is asked, where it wrote less (see `withBody`). */
  readonly asked: Readonly<Record<string, unknown>> | undefined;
  /** The vendor is asked for a stream, of which the client gets a whole answer. */
  readonly gathers?: boolean;
  /** Body fields that this vendor takes as headers. */
  readonly headers?: Headers;
  /** Words for headers that say several, besides what the client and the config say there. */
  readonly headerWords?: Headers;
  /** The gateway has asked for usage in the stream, and the client has not. */
  readonly hidesUsage?: boolean;
  /** What the client calls tools whose names the vendor refuses. */
  readonly clientNames?: ClientNames;
  /** What taps had to add by then: a retry adds it again, and nothing that was said of the answer before. */
  aside?: Aside;
}
