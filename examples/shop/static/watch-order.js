/* Asks our own server how the order stands, and shows the page anew when that has changed. */
const watch = document.getElementById("watch");

/* Whoever has sent a form waits for its answer: a page shown anew would take that answer away. */
let leaving = false;
addEventListener("submit", () => {
  leaving = true;
});
/* Back from where the form led, with this page as it was left. */
addEventListener("pageshow", () => {
  leaving = false;
});

async function look() {
  try {
    const { standing, news } = await (await fetch(watch.dataset.status)).json();
    if (standing !== watch.dataset.standing && !leaving) {
      location.reload();
      return;
    }
    const count = document.querySelector(".news .count");
    if (count) count.textContent = news;
  } catch {
    // The next look may do better.
  }
  setTimeout(() => void look(), 800);
}

if ("waiting" in watch.dataset) void look();
