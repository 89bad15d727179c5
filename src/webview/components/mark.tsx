/** The product's mark: a rising stroke that turns, in the colour of the text around it. */
export function Mark() {
	return (
		<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
			<path
				d="M12 1.8 20.8 6.9v10.2L12 22.2 3.2 17.1V6.9z"
				fill="none"
				stroke="currentColor"
				stroke-width="1.5"
				stroke-linejoin="round"
			/>
			<path
				d="M9 17.4V7.2h3.9a3.1 3.1 0 0 1 0 6.2H9"
				fill="none"
				stroke="currentColor"
				stroke-width="2"
				stroke-linecap="round"
				stroke-linejoin="round"
			/>
		</svg>
	);
}
