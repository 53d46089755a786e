import type { z } from "zod";
import type { Attempt } from "./attempt.ts";
import type { AnyClientProcedure } from "./client-procedure.ts";
import type { Exchange } from "./exchange.ts";
import type { OperationName } from "./operations.ts";
import type { GatewayRequest } from "./request.ts";
import type { SocketEndpoint, TalkEndpoint } from "./socket.ts";
import type { Witness } from "./witness.ts";

/** A place clients call: one row of the endpoint table. */
export interface Endpoint {
  /** `chatComplete`, `messages`, … (inference-api.md section 1). */
  readonly type: string;
  readonly method: string;
  /** Fastify path, with the `/v1` prefix. */
  readonly path: string;
  /**
   * What the URL has to look like besides, where several endpoints share a path. The first one that fits is called, and where none
   * does the one that does not say.
   */
  readonly url?: RegExp;
  /**
   * Members that a JSON body has at its top, where a vendor has different things at one path and only bodies tell them apart. What has
   * not all of them, or is no JSON, goes to the raw endpoint that shares the path, as if this one were not there; without one it is
   * not found. Nitro mode is not for it: its bodies are read.
   */
  readonly members?: readonly string[];
  /** The operation and the client's format; absent on raw endpoints. */
  readonly operation?: OperationName;
  readonly format?: string;
  /** The format of bodies that are JSON, where `format` takes forms. */
  readonly jsonFormat?: string;
  /** Whether every request is decoded, so that its bounds are checked even where its bytes pass through. */
  readonly checked?: boolean;
  /** Whether the request body is a stream of bytes nobody looks into. */
  readonly rawBody?: boolean;
  /** Whether that holds whatever the client calls it: pieces of files, which SDKs send as JSON. */
  readonly unread?: boolean;
  /** Whether a raw body is JSON where the client calls it nothing but bytes, or nothing at all. */
  readonly jsonAsBytes?: boolean;
  /** What the URL looks like of a raw call with a JSON body whose answer may be kept and given again; absent is none. */
  readonly cacheable?: RegExp;
  /** Makes of a JSON answer that a provider gives to a raw call what the client is to have; or returns it itself. */
  readonly corrects?: (wire: unknown, provider: string, exchange: Exchange) => unknown;
  /**
   * Answers here, instead of a provider: the exchange is admitted and recorded like any other. Undefined leaves it to the
   * provider after all. It gives a whole answer, and no body is streamed to it: what is asked is in `exchange.request`. One
   * that does not settle within `server.hookDeadline` is a 500, and the log names it; what it still does goes on unheard.
   */
  readonly serve?: (exchange: Exchange) => Served | undefined | Promise<Served | undefined>;
  /**
   * `serve` may take as long as a whole attempt does (`server.clocks.total`, where that is longer): it writes as many
   * records as there are, or leans on stores whose clocks are the operator's.
   */
  readonly takesTime?: boolean;
  /**
   * Makes the request, before a route is chosen, out of the body that was sent (`exchange.request.json`). From there on it
   * is a request as any other. See `requestFrom`. It has `server.hookDeadline` to settle, as a tap has.
   */
  readonly prepare?: (exchange: Exchange) => GatewayRequest | Promise<GatewayRequest>;
  /**
   * Of raw endpoints: who looks at an answer while the client is given it, in place of whoever reads off it what it used.
   * `contentType` is as the answer has it, empty where it has none.
   */
  readonly witness?: (exchange: Exchange, attempt: Attempt, contentType: string) => Witness | undefined;
  /** Asks the provider to do something in calls of its own making. */
  readonly procedure?: AnyClientProcedure;
  /** Its clients ask for a websocket. Providers say under the endpoint's type where they have theirs. */
  readonly socket?: SocketEndpoint;
  /** Its clients ask for a websocket too, and talk to the gateway itself. */
  readonly talk?: TalkEndpoint;
  /** The URL that vendors know the endpoint by, where the client may have written another one. */
  readonly rawUrl?: (url: string) => string;
  /** The body can be sent once, to one provider: a config that names several is refused. */
  readonly oneTarget?: boolean;
  /** Of a config that names several targets the first one is asked, and no other (inference-api.md sections 11.6 and 17). */
  readonly firstTarget?: boolean;
  /** A principal with scopes needs all of these; `completions.write` where neither this nor `anyScope` is there. */
  readonly scopes?: readonly string[];
  /** It needs one of these besides. */
  readonly anyScope?: readonly string[];
  /** Whether it answers without a credential too. */
  readonly open?: boolean;
  /** The gateway's own errors have the shape of this surface, whatever they are. */
  readonly errors?: "management";
  /** The plugin it is added for, where another one adds it: what it fails with is told of that one. */
  readonly owner?: string;
  /** What it is, for `/openapi.json`. */
  readonly description?: EndpointDescription;
}

/** What an endpoint answers itself: JSON, or text of the content type its headers name. */
export interface Served {
  readonly status: number;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
}

/** What is found below an alias, besides what is below the beginning it stands for. */
export interface AliasTerms {
  /**
   * What stands behind the prefix where a model's name comes next, and behind that the rest of the path of an endpoint that is
   * asked of models: `deployments/`. The request is for that model, whatever its body says. Nothing else is there.
   */
  readonly models?: string;
  /** Parameters of the query that only the client's own vendor knows: they are left out. */
  readonly without?: readonly string[];
  /** Parameters of the query that endpoints know by another name. */
  readonly renames?: Readonly<Record<string, string>>;
}

/** The beginning of a path that stands for another one, both with their slashes. */
export interface Alias extends AliasTerms {
  readonly prefix: string;
  readonly meant: string;
  /** The paths that are found behind a model's name, as they are without it: `/v1/embeddings`. */
  readonly named: ReadonlySet<string>;
}

/** What `/openapi.json` says of an endpoint beyond its place. Schemas are zod's. */
export interface EndpointDescription {
  /** Endpoints of one tag stand together: `configs`. */
  readonly tag: string;
  readonly summary: string;
  /** One of these suffices, where not all of `scopes` are needed. */
  readonly anyScope?: readonly string[];
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
  /** The media type of an answer that is no JSON: `text/plain`. */
  readonly media?: string;
}
