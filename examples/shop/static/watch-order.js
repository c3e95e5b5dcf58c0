/* Polls the shop's server for the order's state, and reloads the page when it has changed. */
const watch = document.getElementById("watch");

/* No reload while a form is being submitted: it would discard the form's answer. */
let leaving = false;
addEventListener("submit", () => {
  leaving = true;
});
/* The payer came back to this page from the browser's cache. */
addEventListener("pageshow", () => {
  leaving = false;
});

async function poll() {
  try {
    const { standing, news } = await (await fetch(watch.dataset.status)).json();
    if (standing !== watch.dataset.standing && !leaving) {
      location.reload();
      return;
    }
    const count = document.querySelector(".news .count");
    if (count) count.textContent = news;
  } catch {
    // Retried at the next poll.
  }
  setTimeout(() => void poll(), 800);
}

if ("waiting" in watch.dataset) void poll();
