import type { RoutingService } from "./model/routing.ts";
import { serviceToken } from "./service-token.ts";

/** Fields, strategies and leaf wrappers of the routing config object. */
export const Routing = serviceToken<RoutingService>("routing");
