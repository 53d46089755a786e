import { GatewayError, type ManagedDocument, type ResourceStore } from "../../core/index.ts";

/** Throws 402 AB09 where an organisation has as many as the instance lets it. Two at once may both get in. */
export async function refuseBeyond<Document extends ManagedDocument>(
  most: number | undefined,
  store: ResourceStore<Document>,
  organisation: string,
  what: string,
): Promise<void> {
  if (most === undefined) return;
  const { total } = await store.select(organisation, {});
  if (total >= most)
    throw new GatewayError("quota_reached", `This organisation has ${total} ${what}, and may have ${most}.`);
}
