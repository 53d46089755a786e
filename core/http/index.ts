/** Where clients have the gateway. */
export { gatewayAsAsked } from "./gateway-as-asked.ts";
/** What names of headers look like. */
export { headerName } from "./header-shapes.ts";
/** Text of a header, as it was written. */
export { headerText } from "./header-text.ts";
/** Names of hosts. */
export { isLoopbackName } from "./host-names.ts";
/** The events of a body of server-sent events. */
export { eventsIn } from "./sse/events-in.ts";
/** What plugins ask hosts over HTTP. */
export type { Ask, OutboundAnswer, OutboundRequest } from "./upstream/outbound.ts";
