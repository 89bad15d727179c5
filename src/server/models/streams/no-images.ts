/**
 * Words with which model servers, vendors and the editor's providers say that a model takes no pictures. A complaint
 * about a single bad picture does not match.
 */
const NO_IMAGES =
	/(?:does|do)(?: not|n['’]t) (?:support|accept|take|handle) (?:the )?(?:images?|image[ _-](?:input|url|content)s?|vision|multi-?modal)|(?:image|vision|multi-?modal)(?:[ _-](?:input|url|content)s?)?s?(?: modality)? (?:is|are) not (?:supported|enabled|allowed|available)|support(?:s|ing)? image input|unknown variant [`'"]?image_url|not a (?:vision|multimodal) model|image_url is only supported|only (?:supports? )?text (?:content|input|is supported)|missing data required for image input|content must be a string|mmproj|(?:unsupported|unexpected|unknown|invalid)[^.]{0,40} (?:LanguageModel)?DataPart|DataPart[^.]{0,40} not supported/i;

export function saysNoImages(message: string): boolean {
	return NO_IMAGES.test(message);
}
