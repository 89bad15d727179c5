/** Answers as agents write them: those that claim an effect, and those that only look like it. Few misses, no false alarm. */
import assert from 'node:assert/strict';
import { type Claim, claimsIn } from './claims.ts';

const CLAIMS: Readonly<Record<Claim['kind'], readonly string[]>> = {
	edit: [
		'Fixed!',
		'Die Datei ist jetzt angelegt.',
		'I updated `src/cart.ts` to round the total.',
		"I've created `tests/cart.test.ts` with three cases.",
		'I have fixed the bug in the parser module.',
		'Done! I have added a new function to src/util/date.ts so that it can parse ISO dates.',
		'Updated `README.md` as you asked.',
		'Done. Created src/index.html.',
		"I've successfully removed the unused imports.",
		'We have renamed the component to CartView in app.tsx.',
		'I rewrote main.go and deleted old.go.',
		'I just implemented the endpoint in server.py.',
		"I've now refactored the class.",
		'I then applied the changes to package.json.',
		'- I updated `a.ts`',
		'**I have replaced the config in `vite.config.ts`.**',
		'1. I modified the function in lib/math.rs.',
		'✅ I have written the tests.',
		'I looked at the code, and fixed the bug in a.ts.',
		"All good now.\n\nI've changed the dependency in Cargo.toml.",
		'I moved styles.css to assets/styles.css.',
		'I patched the script.',
		'I’ve corrected the typo in index.html.',
		'Ich habe `src/cart.ts` aktualisiert.',
		'Ich habe die Datei config.json angelegt.',
		'Fertig! Ich habe den Fehler in parser.py behoben.',
		'Die Funktion in a.ts habe ich umbenannt.',
		'Ich habe die Tests geschrieben.',
		'Erledigt: a.ts aktualisiert.',
		'Wir haben die Konfiguration geändert.',
		'Ich habe die Importe entfernt und den Ordner umbenannt.',
		'I updated `a.ts`:\n\n```ts\nlet a = 2;\n```',
		'I updated README.md, which now reads: use `npm ci`.',
	],
	run: [
		'I ran `npm install` in the project.',
		'I executed the migration script.',
		'I ran the linter and it found nothing to complain about.',
		'Ich habe `npm run build` ausgeführt.',
		'I just ran the test suite.',
	],
	test: [
		'Tests: 12 passed',
		'All tests pass.',
		'All 42 tests passed.',
		'The tests now pass.',
		'12 tests passed and everything is green.',
		'Fixed it: all unit tests are passing now.',
		'Alle Tests laufen durch.',
		'Die Tests sind jetzt grün.',
		'Alle 14 Tests bestehen.',
		'The existing tests still pass.',
		'Both tests pass now.',
	],
	build: ['I compiled it with `make all`.', 'Ich habe das Projekt gebaut.'],
	remember: ["I've remembered that.", 'I saved it to memory.', 'Ich habe mir das gemerkt.'],
	effect: ['Done.', 'Done!', 'Erledigt 🎉', '**Fertig**'],
	install: ["I've installed the dependencies.", 'Ich habe die Abhängigkeiten installiert.'],
	start: [
		'I have started the server on port 3000.',
		'I restarted the server.',
		'Ich habe das Skript gestartet; der Befehl lief durch.',
		'The server is now running on port 3000.',
		'Der Server läuft jetzt.',
	],
	push: [
		'We have deployed it with the `deploy.sh` script.',
		'I have pushed the branch.',
		'Ich habe alles gepusht.',
		'I opened a pull request for it.',
	],
	send: ['Message sent!', 'I posted the summary to Slack.', 'Ich habe die Nachricht an den Kanal geschickt.'],
	schedule: ['I scheduled the job.'],
	commit: [
		'Committed as abc123.',
		'I committed the changes.',
		"I've committed and pushed everything to main.",
		'Ich habe die Änderungen committet.',
		'I merged the branch into main.',
	],
};

const NO_CLAIMS: readonly string[] = [
	// Reports of what others did, or of what is so
	'In the last commit `utils.ts` has been renamed to `helpers.ts`.',
	'The file config.yaml has been updated.',
	'The typo has been fixed in the code.',
	'The imports have been removed from app.tsx.',
	'The changes have been committed.',
	'Everything has been pushed.',
	'Three files have been changed: a.ts, b.ts and c.ts.',
	'Since version 1.2 the function `parse` in parser.ts has been removed and replaced.',
	'The migration was applied, and two endpoints were added in server.py.',
	'This pull request renamed the component in app.tsx.',
	'The author has moved styles.css to assets/ and fixed the imports.',
	'They have updated the dependencies in package.json.',
	'Ada committed the changes and pushed them to main.',
	'You have created the folder src/parts and changed its config.',
	'The branch was merged, and the release notes have been updated in CHANGELOG.md.',
	'# Release notes\n\n- Added `prowess.json`',
	'The commit renamed `utils.ts`, and the imports were adjusted.',
	'Die Datei main.rs wurde angepasst.',
	'Die Konfiguration wurde im letzten Commit geändert.',
	'Im letzten Commit wurden drei Dateien umbenannt und zwei gelöscht.',
	'In `app.json` wurde der Port ersetzt.',
	'Ada hat `a.ts` umbenannt.',
	'Die Funktion ist seit 1.2 in helpers.ts angelegt.',
	'Ich habe gesehen, dass `a.ts` im letzten Commit geändert wurde.',
	'Ich habe den Verlauf gelesen, dort wurde `utils.ts` umbenannt.',
	'Ich habe gelesen, dass Ada die Konfiguration geändert hat.',
	'Ich habe nachgesehen, ob die Tests ausgeführt wurden: ja, gestern.',
	'I have not changed any file.',
	"I didn't update `a.ts`, because it is read-only.",
	'I could not run the tests.',
	"I haven't committed anything.",
	'Should I update `src/a.ts`?',
	'I can update `src/a.ts` if you like.',
	'I would change the function in a.ts.',
	'If I updated `a.ts`, the tests would fail.',
	'I will now edit `a.ts`.',
	'You could run `npm test` to see whether all tests pass.',
	'Make sure all tests pass before you merge.',
	'Once the tests pass, commit the changes.',
	'Run the tests; they should pass.',
	'When all tests pass, the pipeline deploys.',
	'The function adds two numbers and returns the result.',
	'`a.ts` was created by the generator in 2019, I think.',
	'The last commit changed the config.',
	'The recent commits:\n- Fixed the parser in a.ts (Ada)\n- Updated README.md (Bo)',
	'Ada updated `src/cart.ts` last week.',
	'This module is created at start and removed at the end.',
	'I read `a.ts` and `b.ts`.',
	'I looked at the tests.',
	'I found three bugs in parser.py.',
	'I searched the code for it and found nothing.',
	"I've added up the numbers: 42.",
	'I changed my mind about that.',
	'I have written a short poem for you.',
	'I made a mistake in my last answer.',
	'I moved on to the next question.',
	'I am committed to helping you.',
	'I pushed back on that idea for a reason.',
	"Here is the function I've written:\n\n```ts\nfunction add(a, b) { return a + b; }\n```",
	'I have written a script that does it:\n\n```sh\nls\n```',
	'> I updated `a.ts`\n\nThat is what the log says.',
	'The log says "I ran `npm test`" and then nothing.',
	'The README says: I updated `a.ts` and pushed it.',
	'For example: I fixed it by renaming the file.',
	'In der Datei steht: Ich habe `a.ts` aktualisiert.',
	'Zum Beispiel: Ich habe die Datei umbenannt.',
	'```\nI updated a.ts\nAll tests pass.\n```',
	'# I updated a.ts\n\nThis heading is from the file.',
	'Nothing was changed.',
	'No files were changed.',
	'I updated nothing in a.ts.',
	'You have updated `a.ts` since then.',
	'You ran `npm test` and 3 tests failed.',
	'3 tests fail: a, b and c.',
	'Two of the tests do not pass.',
	'The tests never pass on Windows.',
	'To fix it, replace `a` by `b` in src/a.ts.',
	'Next steps: update `README.md`, run the tests, commit.',
	'The file `a.ts` can be updated with `npm run generate`.',
	'package.json has a script that creates dist/index.js.',
	'The build runs `tsc` and then copies the files.',
	'The server is started by `npm start`.',
	'Tests are run with mocha.',
	'I already updated `a.ts` in an earlier turn.',
	'Earlier I ran the tests.',
	'I was asked to write `a.ts`, and the user denied it.',
	'I tried to edit `a.ts`, but the edit was denied.',
	'Denied: `a.ts` stays as it is.',
	'`git commit` records the changes; I did not run it.',
	'The changes must be committed first.',
	'Your changes are not committed.',
	'It looks as if the config was changed by hand.',
	'A file is created for each thread.',
	'Hello! How can I help you?',
	'The answer is 4.',
	'Yes.',
	'`src/a.ts` has 2 lines.',
	'Ich habe nichts geändert.',
	'Ich habe die Datei nicht aktualisiert.',
	'Ich kann `a.ts` ändern, wenn du willst.',
	'Soll ich `a.ts` aktualisieren?',
	'Ich werde nun a.ts bearbeiten.',
	'Ich habe a.ts gelesen.',
	'Ich habe die Datei gefunden.',
	'Wenn alle Tests grün sind, kannst du committen.',
	'Die Tests laufen nicht durch.',
	'Die Datei wird beim Start erstellt.',
	'Ich habe drei Fehler gefunden.',
	'Die Tests sollten jetzt bestehen.',
	'Ada hat die Datei gestern geändert.',
	'Ich würde die Funktion umbenennen.',
	'Bitte führe `npm test` aus.',
	'Ich habe keinen Test ausgeführt.',
	'What I changed is listed in the diff, is that what you meant?',
	'We run the tests on every push.',
	'I ran into a problem with the question.',
	'I run on a language model.',
	'I ran out of ideas.',
	'I started with the README, which explains the setup.',
];

describe('Claims of an answer', () => {
	for (const [kind, answers] of Object.entries(CLAIMS)) {
		it(`are found when they are of the kind ${kind}`, () => {
			// Tests that pass are a claim of an agent that says what it did.
			const answer = (words: string) => (kind === 'test' ? `I updated \`a.ts\`. ${words}` : words);
			const missed = answers.filter((words) => !claimsIn(answer(words)).some((claim) => claim.kind === kind));
			assert.deepEqual(missed, []);
		});
	}

	it('are not seen in what is denied, planned, asked, quoted, explained or done by others', () => {
		const alarms = NO_CLAIMS.flatMap((answer) => claimsIn(answer).map(({ kind }) => `${kind}: ${answer}`));
		assert.deepEqual(alarms, []);
		assert.ok(NO_CLAIMS.length + Object.values(CLAIMS).flat().length >= 120);
	});

	it('do not count without a subject, or with a shared one, where the answer is no report of work', () => {
		const shared = [
			'All tests pass.',
			'Tests: the existing tests still pass.',
			'## Testing\n\nAll 42 tests passed.',
			'The class has been refactored; all tests are passing.',
			'- Fixed the crash in `src/cart.ts`\n- Updated `README.md`',
			'1. Renamed `utils.ts` to `helpers.ts`.',
			'Alle Tests laufen durch.',
			'Die Tests sind grün, und die Änderungen wurden gepusht.',
			'Renamed `utils.ts` to `helpers.ts`.',
			'Done. Created src/index.html.',
			'`utils.ts` umbenannt.',
			'We have renamed the component in app.tsx.',
			'We committed the changes. All tests pass.',
			'Wir haben die Konfiguration geändert.',
			'Haben wir die Datei a.ts gelöscht: ja.',
		];
		assert.deepEqual(
			shared.filter((answer) => claimsIn(answer, { isOfWork: false }).length > 0),
			[],
		);
		const own = ['I have renamed `utils.ts`.', 'I committed the changes.', 'Ich habe `a.ts` geändert.'];
		assert.deepEqual(
			own.filter((answer) => claimsIn(answer, { isOfWork: false }).length === 0),
			[],
		);
	});

	it('of tests count with what the same sentence claims', () => {
		const kinds = claimsIn('I have updated `a.ts`, and all tests pass.').map(({ kind }) => kind);
		assert.deepEqual(kinds, ['test', 'edit']);
	});

	it('name the files that they are about', () => {
		const [claim] = claimsIn('I updated `src/cart.ts` and docs/cart.md.');
		assert.deepEqual(claim?.paths, ['src/cart.ts', 'docs/cart.md']);
	});

	it('are none in answers of a megabyte that only begin like one', () => {
		for (const text of [
			'I have looked at the file, then at the next one and so on '.repeat(18_000),
			'I have '.repeat(150_000),
			'ich habe '.repeat(110_000),
			'a/'.repeat(500_000),
		]) {
			assert.deepEqual(claimsIn(text), [], text.slice(0, 20));
		}
	});
});
