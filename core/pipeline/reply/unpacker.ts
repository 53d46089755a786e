import { GatewayError } from "../../errors/gateway-error.ts";
import { unpackingStream } from "./unpacked.ts";

/** Who is given what was unpacked. */
interface Target {
  data(bytes: Buffer): void;
  end(): void;
  error(error: GatewayError): void;
}

/**
 * Unpacks the body of an answer that came packed although nobody had asked for that: a vendor may, where a call does not say
 * what it accepts.
 */
export class Unpacker {
  readonly #stream: NonNullable<ReturnType<typeof unpackingStream>>;
  readonly #target: Target;
  #began = false;

  private constructor(stream: NonNullable<ReturnType<typeof unpackingStream>>, target: Target) {
    this.#stream = stream;
    this.#target = target;
    stream.on("data", (bytes: Buffer) => target.data(bytes));
    stream.on("end", () => target.end());
    stream.on("error", (cause) =>
      target.error(new GatewayError("upstream_invalid", "The answer is packed, and broken.", {}, { cause })),
    );
  }

  /** Undefined where nobody here can unpack it, or it is not packed. */
  static of(encoding: string | string[] | undefined, target: Target): Unpacker | undefined {
    const stream = encoding === undefined ? undefined : unpackingStream(String(encoding));
    return stream && new Unpacker(stream, target);
  }

  push(bytes: Buffer): void {
    this.#began = true;
    this.#stream.write(bytes);
  }

  /** The body is over. One without bytes is not even packed. */
  end(): void {
    if (this.#began) this.#stream.end();
    else this.#target.end();
  }

  hold(): void {
    this.#stream.pause();
  }

  release(): void {
    this.#stream.resume();
  }

  stop(): void {
    this.#stream.destroy();
  }
}
