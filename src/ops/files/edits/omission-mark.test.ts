import assert from 'node:assert/strict';
import { refuseOmissionMark } from './omission-mark.ts';

const refusal = (line: string, path = 'a.ts', before = 'one\n') => {
	try {
		refuseOmissionMark(path, before, `let a;\n${line}\nlet b;\n`);
		return 'taken';
	} catch (error) {
		return (error as { code?: string }).code;
	}
};

describe('a mark in the place of text', () => {
	for (const line of [
		'// ... existing code ...',
		'  // ...existing code...',
		'# ... existing code ...',
		'/* ... existing code ... */',
		'<!-- ... existing code ... -->',
		'{/* ... existing code ... */}',
		'-- ... rest of the schema unchanged ...',
		'// … rest of the file …',
		'// ... rest of code remains the same ...',
		'# rest of the file unchanged',
		'// rest of the code is unchanged.',
		'// rest unchanged',
		'# ... rest',
		'// The rest of the file remains unchanged',
		'... existing code ...',
		'// ... (existing imports) ...',
		'// ... other methods ...',
		'// ... other functions remain the same ...',
		'// existing code...',
		'// Existing methods here...',
		'// ... unchanged ...',
		'# [... remaining tests unchanged ...]',
		'// ... keep the original implementation ...',
		'// remaining methods unchanged',
		'// other handlers stay the same',
		'// existing code here',
		'/* ... snip ... */',
	]) {
		it(`is refused as ${line}`, () => assert.equal(refusal(line), 'TEXT_LEFT_OUT'));
	}

	for (const line of [
		'',
		'...args',
		'const all = [...existing, ...rest];',
		'...rest',
		'...existing,',
		'	...remaining,',
		'// ...',
		'pass  # ...',
		'...',
		'// Loading existing files...',
		"console.log('... existing code ...');",
		'// The rest of the arguments go to the program.',
		'// existing callers rely on this',
		'# Other',
		'// Keep the same order as the table.',
		'// the remaining bytes are padding',
		'The rest is unchanged.',
	]) {
		it(`is not ${JSON.stringify(line)}`, () => assert.equal(refusal(line), 'taken'));
	}

	it('is text where the file had it before, and in an example of a document', () => {
		assert.equal(refusal('// ... existing code ...', 'a.ts', 'x\n\t// ... existing code ...\r\n'), 'taken');
		assert.equal(refusal('```ts\n// ... existing code ...\n```', 'a.md'), 'taken');
		assert.equal(refusal('```ts\n```\n... rest of the document unchanged ...', 'a.md'), 'TEXT_LEFT_OUT');
	});

	it('is named with its line', () => {
		assert.throws(() => refuseOmissionMark('a.ts', undefined, 'let a;\n\n// ... existing code ...\n'), {
			code: 'TEXT_LEFT_OUT',
			message:
				'line 3 of the new text of a.ts stands for text that it leaves out ("// ... existing code ..."); nothing was written',
			facts: { path: 'a.ts', line: 3 },
		});
	});

	it('is not found in 20,000 lines that only begin like one', () => {
		const text = `// ... existing${' code'.repeat(25)} x\n`.repeat(20_000);
		assert.doesNotThrow(() => refuseOmissionMark('a.ts', undefined, text));
	});
});
