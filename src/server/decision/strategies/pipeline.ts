/** A message that asks for the same steps for each of many things, which a script does the same way every time. */
const EACH =
	/(?<!\p{L})(?:(?:for|in) (?:each|every|all(?: of)?(?: the)?|any) |für (?:jede[nrs]?|alle) |in (?:jede[rmn]?|allen) |bei (?:jede[rm]|allen) )/iu;
const MANY =
	/(?<!\p{L})(?:files?|folders?|director(?:y|ies)|packages?|modules?|images?|branches|repos(?:itories)?|rows?|lines?|csvs?|jsons?|components?|dateien?|ordnern?|verzeichnis(?:se[ns]?)?|paketen?|pakete|modulen?|bildern?|bilder|zeilen?|bild|datei)(?!\p{L})/iu;
const BULK =
	/(?:^|[\s,;(])(?:rename|convert|resize|compress|extract|copy|move|normalize|format|count|collect|prepend|append|strip|download|export|benenne?|konvertiere?|wandle?|verkleinere?|komprimiere?|extrahiere?|kopiere?|verschiebe?|normalisiere?|formatiere?|zähle?|sammle?)(?!\p{L})/iu;
const ALL = /(?<!\p{L})(?:all|every|each|alle|allen|jede[nrsm]?)(?!\p{L})/iu;
const BY_NAME =
	/(?<!\p{L})(?:(?:as|with|by|in) (?:a|one) (?:script|pipeline)|als (?:ein |eine )?(?:skript|pipeline)|mit einem skript|batch[- ](?:process|convert|rename))(?!\p{L})/iu;

export function isPipeline(text: string): boolean {
	return BY_NAME.test(text) || (MANY.test(text) && BULK.test(text) && (ALL.test(text) || EACH.test(text)));
}
