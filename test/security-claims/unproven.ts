/** Beginnings of paragraphs of docs/security.md that promise nothing a spec could prove. */
export const unproven: readonly string[] = [
	// An order, each part of which is proven by what follows it.
	'From most to least trusted: the host',
	// The head of a table.
	'| Tool | Finds without a network |',
	// Sentences on things that Prowess does not do.
	'| `none` (the flags failed their test) |',
	'- Two things stay as they are: a draft that you have not sent',
	'- Prowess does not look at what goes over a connection.',
	// Section on limits that are not enforced: things that others do, and things that Prowess does not do.
	'- **Seatbelt on macOS** was not run on a Mac by us',
	'- **A label does not follow a text into files that an agent writes.**',
	'- **A label goes by the thread that a server names.**',
	'| After text from outside, or a secret | Asks |',
	'- **A second name of a file** (a hard link) is not found in `node_modules`,',
	'- **After a command in the background**, other programs than Prowess',
	'- **A planted file is there until its command has ended.**',
	'- **What a command puts into the index or a commit of Git** stays there',
	'- **An approved command can be changed from within.**',
	'- **Without bubblewrap**, a capability can use the network and signal your processes by itself.',
	'- **Command rules** do not depend on the workspace folder',
	'- **Races**: between the last check of a file and its replacement lie microseconds',
	'- **Exfiltration**: redaction does not stop a model',
	'- what was cut off before its anchor was written',
	'- anything that somebody changed who also changed the anchors',
	'- rows that such a person added',
	'- rows of a time before the first anchor',
	'It is evidence against mistakes',
	'- **Allowed hosts** can pass on what they are told.',
	"- **A link in a thread's `/tmp`**",
	'- **Same user**: another program of the same user',
	// No spec can cut the power.
	'- **Power loss**: the newest rows of reads and outcomes may be missing.',
];
