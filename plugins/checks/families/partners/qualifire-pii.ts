import { qualifire } from "../../partners/qualifire.ts";

export default qualifire({ name: "pii", passes: "text without personal data", flag: "pii_check" });
