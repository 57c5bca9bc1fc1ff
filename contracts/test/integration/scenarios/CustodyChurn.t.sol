// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {DelegateTest} from "../../helpers/DelegateTest.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";

/// The thief of an RWA custody swaps two RWAs there and back. Each payout frees room under a cap, and each leg makes
/// the LP pay a protocol fee: out of the stablecoin custody, or in minted tokens.
contract CustodyChurnTest is DelegateTest {
    uint96 private constant CAP = 10_000e18;
    uint256 private constant STAKE = 8_000e18;
    uint256 private constant ISSUER_RATE = 0.02e18;
    uint256 private constant ROUNDS = 300;

    address private thief = makeAddr("thief");
    address private rwaHolder = makeAddr("stolen custody of RWAs");
    RWA private paper;

    function setUp() public override {
        super.setUp();
        paper = _addRWA("PAPER", 18, WAD);
    }

    /// What the vault receives is at most what the caps let in, although each leg is far larger.
    function test_X6_D29_RWACustody_ChurnsTheReserveIntoFeesWithinTheCaps() public forEachDelegate {
        _prepare();
        uint256 fees = _churn();
        assertLe(fees, 2 * uint256(CAP), "in one block");
        assertGt(fees, CAP, "the caps are the bound");
        skip(1 days);
        assertLe(fees + _churn(), 4 * uint256(CAP), "in 24 hours");
    }

    function _prepare() private {
        address lp = address(delegate);
        _listCustody(lp, rwaHolder);
        vm.startPrank(rwaHolder);
        delegate.acceptCustody();
        paper.token.approve(lp, ALL);
        note.token.approve(lp, ALL);
        vm.stopPrank();
        vm.startPrank(issuer);
        delegate.setRWACustodyAddress(rwaHolder);
        delegate.whitelistRWA(address(note.token), true);
        delegate.whitelistRWA(address(paper.token), true);
        vm.stopPrank();
        _setIntakeCap(lp, address(note.token), CAP);
        _setIntakeCap(lp, address(paper.token), CAP);
        vm.startPrank(operator);
        core.setProtocolFeeExempt(ownID, false);
        core.setIssuerPaidProtocolFeeRate(ownID, ISSUER_RATE);
        core.setSpreadProtocolTakeRate(0);
        vm.stopPrank();
        vm.startPrank(thief);
        paper.token.approve(lp, ALL);
        note.token.approve(lp, ALL);
        vm.stopPrank();
        note.token.mint(thief, STAKE);
        paper.token.mint(rwaHolder, STAKE);
    }

    /// Swaps there and back until a leg is refused. The custody returns what it gained, so that the thief loses
    /// nothing. Returns the fees in USD, WAD.
    function _churn() private returns (uint256 fees) {
        uint256 before = IERC20(address(ownToken)).balanceOf(vault);
        for (uint256 i = 0; i < ROUNDS; ++i) {
            if (!_exchange(note, paper) || !_exchange(paper, note)) break;
        }
        fees = IERC20(address(ownToken)).balanceOf(vault) - before;
        if (ownToken.decimals() == 6) fees *= 1e12;
    }

    function _exchange(RWA memory from, RWA memory to) private returns (bool success) {
        uint256 amount = from.token.balanceOf(thief);
        (, uint256 available) = IStablecoinDelegateAdmin(address(delegate)).intakeCap(address(from.token));
        if (available < amount) amount = available;
        ICoreSwap.SwapInputs memory leg = ICoreSwap.SwapInputs(5, from.id, to.id, ownID, amount, 0);
        vm.prank(thief);
        (success,) = address(core).call(abi.encodeCall(core.swap, (thief, thief, _one(leg), _noPermit())));
        if (!success) return false;
        // The custody's key is the thief's.
        vm.startPrank(rwaHolder);
        uint256 gained = to.token.balanceOf(rwaHolder);
        to.token.transfer(thief, gained);
        uint256 kept = from.token.balanceOf(rwaHolder);
        if (kept > STAKE) from.token.transfer(thief, kept - STAKE);
        vm.stopPrank();
    }
}
