import { promptSecurity } from "../../partners/promptsecurity.ts";

export default promptSecurity("response");
