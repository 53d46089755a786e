import { type Exchange, tenantOf } from "../../core/index.ts";

const response = /resp_[0-9a-f]{32}\d*/.source;
const item = /[a-z]+_([0-9a-f]{32}\d*)_\d+/.source;

/** Ids that are given here. Whatever else somebody asks for was never kept. */
export const ownId = new RegExp(`^${response}$`);

/** Ids of items that the gateway has made name the response they are from. */
export const itemId = new RegExp(`^${item}$`);

/** Both, in text. */
export const ownIds = new RegExp(`"(?:${response}|${item})"`);

/** Whose the responses of an exchange are. */
export const tenantIn = ({ principal }: Exchange): string => tenantOf(principal ?? { id: "" });

/** How the ids of the responses of an exchange begin. */
export const idOf = ({ id }: Exchange): string => `resp_${id.replaceAll("-", "")}`;

/** The same, of an id that was given here. */
export const beginningOf = (id: string): string => id.slice(0, "resp_".length + 32);

/** Where somebody waits for a response of a tenant, by how its id begins. */
export const keyOf = (tenant: string, id: string): string => `${tenant} ${id}`;

export const keyIn = (exchange: Exchange): string => keyOf(tenantIn(exchange), idOf(exchange));
