// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {CoreSwapFixture} from "test/helpers/CoreSwapFixture.sol";

/// Tests the intake cap of a plain stablecoin's LP's own stablecoin.
contract OwnIntakeCapTest is CoreSwapFixture {
    uint96 private constant CAP = 1_000e6;
    uint96 private constant UNCAPPED = type(uint96).max;
    uint256 private constant ALL = type(uint256).max;

    /// The model of the fuzz test: the sum of what came in less what leaked, times 86,400 and without rounding.
    uint256 private sumScaled;
    uint256 private sumTime;
    uint256 private modelCap;

    address private rwaHolder = makeAddr("rwa custody");

    function setUp() public override {
        super.setUp();
        vm.warp(20_000 days);
        _listCustody(address(usdc.delegate), rwaHolder);
        bill.token.mint(rwaHolder, DEEP * 1e18);
        vm.startPrank(rwaHolder);
        usdc.delegate.acceptCustody();
        bill.token.approve(address(usdc.delegate), ALL);
        vm.stopPrank();
        _setRWACustody(rwaHolder);
    }

    function test_WhenNoneWasEverSet() public {
        _assertCap(UNCAPPED, UNCAPPED);
        vm.record();
        usdc.delegate.intakeCap(address(usdc.token));
        (bytes32[] memory read,) = vm.accesses(address(usdc.delegate));
        vm.record();
        _buy(10 * uint256(CAP));
        (, bytes32[] memory written) = vm.accesses(address(usdc.delegate));
        _assertDisjoint(written, read);
        _assertCap(UNCAPPED, UNCAPPED);
    }

    function test_RevertWhen_MoreThanTheCapWouldComeIn_D29() public {
        _exempt();
        _cap(CAP);
        _assertExceeds(_buying(CAP + 1), CAP + 1, CAP);
        _buy(CAP);
        _assertExceeds(_buying(2), 2, 0);
        ICoreSwap.SwapInputs memory exactOut = ICoreSwap.SwapInputs(4, usdc.id, bill.id, usdc.id, ALL, 1e18);
        uint256 amount = core.quoteSwap(user, exactOut).tokenInAmt;
        _assertExceeds(exactOut, amount, 0);
    }

    function test_WhenRWAsOfAnotherCustodyAreBought() public {
        _cap(CAP);
        uint256 before = usdc.token.balanceOf(usdc.custody);
        _buy(CAP);
        uint256 kept = usdc.token.balanceOf(usdc.custody) - before;
        assertLt(kept, CAP, "the vault received the protocol fee");
        _assertCap(CAP, CAP - kept);
    }

    function test_WhenTheStablecoinIsPaidOut() public {
        _exempt();
        _cap(CAP);
        _buy(CAP);
        _swap(ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, 100e18, 0));
        _swap(_leg(7, 100e18, false));
        _assertCap(CAP, 0);
    }

    function test_WhenItIsExchangedForAForeignStablecoin() public {
        _cap(CAP);
        _swap(ICoreSwap.SwapInputs(7, usdc.id, usdx.id, usdc.id, 2 * uint256(CAP), 0));
        _assertCap(CAP, CAP);
    }

    function test_WhenOneAccountIsBothCustodies() public {
        _cap(0);
        _setRWACustody(usdc.custody);
        _buy(CAP);
        _assertCap(0, 0);
    }

    function test_WhenTheDelegateItselfIsBothCustodies_D29() public {
        _exempt();
        _setRWACustody(address(usdc.delegate));
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setStablecoinCustodyAddress(address(usdc.delegate));
        bill.token.mint(address(usdc.delegate), 10_000e18);
        _buy(2 * uint256(CAP));
        _assertCap(UNCAPPED, UNCAPPED);
        _cap(CAP);
        _buy(CAP / 2);
        _assertCap(CAP, CAP / 2);
        _assertExceeds(_buying(CAP), CAP, CAP / 2);
    }

    function test_WhenTheCustodiesBecomeTwoAccounts_D29() public {
        _exempt();
        _cap(CAP);
        _setRWACustody(usdc.custody);
        _buy(2 * uint256(CAP));
        _setRWACustody(address(usdc.delegate));
        bill.token.mint(address(usdc.delegate), 10_000e18);
        _buy(CAP / 2);
        _assertCap(CAP, CAP / 2);
        _assertExceeds(_buying(CAP), CAP, CAP / 2);
    }

    function test_WhenTimePasses_D29() public {
        _exempt();
        _cap(CAP);
        _buy(CAP);
        skip(6 hours);
        _assertCap(CAP, CAP / 4);
        _assertExceeds(_buying(CAP / 4 + 1), CAP / 4 + 1, CAP / 4);
        _buy(CAP / 4);
        skip(1 days);
        _assertCap(CAP, CAP);
    }

    function test_WhenItIsSetToUnlimited() public {
        _cap(CAP);
        _buy(CAP);
        _cap(UNCAPPED);
        vm.record();
        usdc.delegate.intakeCap(address(usdc.token));
        (bytes32[] memory read,) = vm.accesses(address(usdc.delegate));
        vm.record();
        _buy(10 * uint256(CAP));
        (, bytes32[] memory written) = vm.accesses(address(usdc.delegate));
        _assertDisjoint(written, read);
        _assertCap(UNCAPPED, UNCAPPED);
    }

    function test_WhenAnIssuerAdminOrAPauserSetsTheFirstOne_D29() public {
        address[2] memory callers = _lowerers();
        for (uint256 i = 0; i < callers.length; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.expectEmit(address(usdc.delegate));
            emit IStablecoinDelegateAdmin.IntakeCapSet(address(usdc.token), i);
            vm.prank(callers[i]);
            usdc.delegate.setIntakeCap(address(usdc.token), uint96(i));
            _assertCap(i, i);
            uint256 kept = core.quoteSwap(user, _buying(CAP)).tokenInAmt - _fee(_buying(CAP));
            _assertExceeds(_buying(CAP), kept, i);
            vm.revertToState(snapshot);
        }
    }

    function test_RevertWhen_TheyRaiseIt_D29() public {
        _cap(CAP);
        address[2] memory callers = _lowerers();
        for (uint256 i = 0; i < callers.length; ++i) {
            vm.expectRevert(
                abi.encodeWithSelector(IAccessControl.AccessControlUnauthorizedAccount.selector, callers[i], bytes32(0))
            );
            vm.prank(callers[i]);
            usdc.delegate.setIntakeCap(address(usdc.token), CAP + 1);
        }
    }

    /// The contract rounds each leak down, so that its sum exceeds the model's by less than a unit for each step.
    /// forge-config: default.fuzz.runs = 64
    function testFuzz_WhenAnythingHappens_D29(uint256[24] memory draws) public {
        modelCap = CAP;
        _cap(CAP);
        bool isApart = true;
        for (uint256 i = 0; i < draws.length; ++i) {
            uint256 draw = draws[i] >> 8;
            skip(bound(uint8(draws[i]) >> 3, 0, 31) * 1013);
            uint256 action = draws[i] % 8;
            if (action < 4) {
                _buyAsTheModel(bound(draw, 100, 2 * uint256(CAP)), isApart, i + 1);
            } else if (action < 6) {
                _swap(ICoreSwap.SwapInputs(1, bill.id, usdc.id, usdc.id, bound(draw, 1e15, 1e21), 0));
            } else if (action == 6) {
                isApart = !isApart;
                _setRWACustody(isApart ? rwaHolder : usdc.custody);
            } else {
                _leakModel();
                modelCap = bound(draw, 0, 2 * uint256(CAP));
                _cap(uint96(modelCap));
            }
        }
    }

    function _buyAsTheModel(uint256 amount, bool isApart, uint256 steps) private {
        _leakModel();
        uint256 kept = amount - _fee(_buying(amount));
        (bool success, bytes memory reason) = _trySwap(_buying(amount));
        if (!isApart) {
            assertTrue(success, "one custody is not limited");
        } else if (success) {
            assertLe(sumScaled + kept * 1 days, modelCap * 1 days, "let in too much");
            sumScaled += kept * 1 days;
        } else {
            assertEq(bytes4(reason), IStablecoinDelegateAdmin.IntakeCapExceeded.selector);
            assertGt(sumScaled + (kept + steps) * 1 days, modelCap * 1 days, "refused too much");
        }
    }

    function _leakModel() private {
        uint256 leaked = modelCap * (block.timestamp - sumTime);
        sumScaled = sumScaled > leaked ? sumScaled - leaked : 0;
        sumTime = block.timestamp;
    }

    /// An issuer admin, and an account that may only pause.
    function _lowerers() private returns (address[2] memory) {
        bytes32 role = usdc.delegate.PAUSE_ROLE();
        vm.prank(admin);
        usdc.delegate.grantRole(role, stranger);
        return [usdc.issuerAdmin, stranger];
    }

    function _setRWACustody(address account) private {
        vm.prank(usdc.issuerAdmin);
        usdc.delegate.setRWACustodyAddress(account);
    }

    function _exempt() private {
        vm.prank(operator);
        core.setProtocolFeeExempt(usdc.id, true);
    }

    function _cap(uint96 cap) private {
        _setIntakeCap(address(usdc.delegate), address(usdc.token), cap);
    }

    function _buying(uint256 amount) private view returns (ICoreSwap.SwapInputs memory leg) {
        return ICoreSwap.SwapInputs(3, usdc.id, bill.id, usdc.id, amount, 0);
    }

    function _buy(uint256 amount) private {
        _swap(_buying(amount));
    }

    function _fee(ICoreSwap.SwapInputs memory leg) private view returns (uint256) {
        ICoreSwap.SwapResolved memory quote = core.quoteSwap(user, leg);
        return quote.issuerFeeAmt + quote.spreadFeeAmt;
    }

    function _trySwap(ICoreSwap.SwapInputs memory leg) private returns (bool success, bytes memory reason) {
        vm.prank(user);
        return address(core).call(abi.encodeCall(core.swap, (user, receiver, _one(leg), _noPermit())));
    }

    function _assertExceeds(ICoreSwap.SwapInputs memory leg, uint256 amount, uint256 available) private {
        (bool success, bytes memory reason) = _trySwap(leg);
        assertFalse(success);
        bytes4 selector = IStablecoinDelegateAdmin.IntakeCapExceeded.selector;
        assertEq(reason, abi.encodeWithSelector(selector, address(usdc.token), amount, available));
    }

    function _assertCap(uint256 expectedCap, uint256 expectedAvailable) private view {
        (uint256 cap, uint256 available) = usdc.delegate.intakeCap(address(usdc.token));
        assertEq(cap, expectedCap, "cap");
        assertEq(available, expectedAvailable, "available");
    }

    function _assertDisjoint(bytes32[] memory written, bytes32[] memory read) private pure {
        for (uint256 i = 0; i < written.length; ++i) {
            for (uint256 k = 0; k < read.length; ++k) {
                assertNotEq(written[i], read[k], "the sum is not kept");
            }
        }
    }
}
