import type { Clocks } from "../../model/route.ts";

export type ClockName = keyof Clocks;

/**
 * The five clocks of one attempt. Two timers serve them all: one for the phase the attempt is in (connect, headers,
 * idle), one for what spans phases (first token, total). A clock that is not set never fires.
 */
export interface RunningClocks {
  connected(): void;
  headers(): void;
  /** A piece of the answer arrived. */
  piece(): void;
  /** The first frame of a stream was let through: from here on only silence counts. */
  firstToken(): void;
  /** The client does not read: silence is its own, not the upstream's. */
  hold(): void;
  release(): void;
  stop(): void;
}

export function startClocks(
  limits: Clocks,
  stream: boolean,
  expired: (clock: ClockName, milliseconds: number) => void,
): RunningClocks {
  let phase = arm("connect");
  const firstToken = stream ? arm("firstToken") : undefined;
  const total = arm("total");
  let idling = false;

  function arm(clock: ClockName): NodeJS.Timeout | undefined {
    const milliseconds = limits[clock];
    return milliseconds ? setTimeout(() => expired(clock, milliseconds), milliseconds) : undefined;
  }
  const startIdle = () => {
    phase = arm("idle");
    idling = phase !== undefined;
  };

  return {
    connected() {
      clearTimeout(phase);
      phase = arm("headers");
    },
    headers() {
      clearTimeout(phase);
      startIdle();
    },
    piece() {
      if (idling) phase?.refresh();
    },
    firstToken() {
      clearTimeout(firstToken);
      clearTimeout(total);
    },
    hold() {
      clearTimeout(phase);
      idling = false;
    },
    release() {
      startIdle();
    },
    stop() {
      clearTimeout(phase);
      clearTimeout(firstToken);
      clearTimeout(total);
    },
  };
}
