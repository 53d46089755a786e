import { qualifire } from "../../partners/qualifire.ts";

export default qualifire({
  name: "instructionFollowing",
  passes: "answers that do as they were told",
  flag: "instructions_following_check",
  targets: ["response"],
});
