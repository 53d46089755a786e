/** Ids the gateway gave to calls the vendor gave none: they mean nothing to it. */
const ownPrefix = "gateway-";

export const madeId = (...steps: readonly (string | number)[]): string => ownPrefix + steps.join("-");

/** The id of a call as the vendor knows it. */
export const idFor = (id: string): { id?: string } => (id.startsWith(ownPrefix) ? {} : { id });
