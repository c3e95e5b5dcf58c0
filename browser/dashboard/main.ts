import { fillFromFragment } from "./script/fill-from-fragment.ts";
import { offerCopies } from "./script/offer-copies.ts";
import { refreshLive } from "./script/refresh-live.ts";
import { sendOnce } from "./script/send-once.ts";
import { showCurrentSection } from "./script/show-current-section.ts";
import { showPreview } from "./script/show-preview.ts";
import { showProblem } from "./script/show-problem.ts";
import { submitOnChange } from "./script/submit-on-change.ts";

// Every page works without this; here it gets manners.
document.documentElement.className = "scripted";
fillFromFragment(document);
sendOnce(document);
submitOnChange(document);
offerCopies(document);
refreshLive(document);
showCurrentSection(document);
showPreview(document);
showProblem(document);
