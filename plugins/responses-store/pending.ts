/** The wait of those who ask for a response before it is kept. */
export interface Pending {
  readonly over: Promise<void>;
  readonly end: () => void;
}

export function pending(): Pending {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
