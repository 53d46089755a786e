export const largest = (one: bigint, other: bigint): bigint => (one > other ? one : other);
export const smallest = (one: bigint, other: bigint): bigint => (one < other ? one : other);
