import type { LogSight, Principal } from "../../core/index.ts";
import type { RoleGuardParts } from "./roles.ts";
import type { SecurityToggle } from "./settings.ts";

const everything: LogSight = { content: true, rows: true, own: false };

/**
 * What of the logs the role of the person behind a key shows them (observability.md section 10.2). Keys of services, whose
 * requests belong to nobody, see all of what their scopes reach; owners do, and admins of a workspace.
 */
export const logSight =
  ({ people, allows }: RoleGuardParts) =>
  async ({ organisation, workspace, user }: Principal): Promise<LogSight> => {
    if (organisation === undefined || user === undefined) return everything;
    const roles = await people.rolesOf(organisation, workspace, user);
    if (!roles || roles.organisation === "owner") return everything;
    const may = (toggle: SecurityToggle) => allows(organisation, workspace, toggle);
    if (roles.organisation === "admin")
      return {
        content: await may("organisationAdminsViewLogs"),
        rows: await may("organisationAdminsViewLogMetadata"),
        own: false,
      };
    const role = roles.workspace ?? "member";
    if (role === "admin") return everything;
    return {
      content: await may(`${role}sViewLogs`),
      rows: await may(`${role}sViewLogMetadata`),
      own: !(await may(`${role}sViewAllData`)),
    };
  };
