import { qualifire } from "../../partners/qualifire.ts";

export default qualifire({
  name: "contentModeration",
  passes: "text without harmful content",
  flag: "content_moderation_check",
});
