import { type Exchange, tenantOf } from "../../core/index.ts";

/** Ids that are given here. Whatever else somebody asks for was never kept. */
export const ownId = /^resp_[0-9a-f]{32}\d*$/;

/** The same, and those of items, in text. */
export const ownIds = /"(?:resp_[0-9a-f]{32}\d*|[a-z]+_[0-9a-f]{32}\d*_\d+)"/;

/** How the ids of the responses of an exchange begin. */
export const idOf = ({ id }: Exchange): string => `resp_${id.replaceAll("-", "")}`;

/** The same, of an id that was given here. */
export const beginningOf = (id: string): string => id.slice(0, "resp_".length + 32);

/** Where somebody waits for a response of a tenant, by how its id begins. */
export const keyOf = (tenant: string, id: string): string => `${tenant} ${id}`;

export const keyIn = (exchange: Exchange): string => keyOf(tenantOf(exchange.principal ?? { id: "" }), idOf(exchange));
