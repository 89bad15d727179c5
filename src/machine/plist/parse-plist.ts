/**
 * A property list in either of its forms. The reader is our own code, because it has to refuse what is malformed and what
 * grows without bounds, which packages for property lists let pass.
 */
import { parseBinaryPlist } from './binary-plist.ts';
import { malformedPlistError, type PlistValue } from './plist-value.ts';
import { parseXmlPlist } from './xml-plist.ts';

export function parsePlist(bytes: Buffer): PlistValue {
	if (bytes.subarray(0, 6).toString('latin1') === 'bplist') {
		return parseBinaryPlist(bytes);
	}
	return parseXmlPlist(decodePlistText(bytes));
}

function decodePlistText(bytes: Buffer): string {
	const encoding =
		bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		throw malformedPlistError('it is neither text nor a binary property list');
	}
}
